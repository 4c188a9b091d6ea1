"""The stages in order: the only folder that sees them all. Reads the store, calls a stage, writes what it gives."""
