"""How a store becomes what schema.py says: numbered steps, never changed once released."""
