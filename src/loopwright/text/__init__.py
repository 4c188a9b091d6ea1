"""Text as agents and tools write it: streams, errors, patterns. What several stages read is read here."""
