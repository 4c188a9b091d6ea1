"""The nouns: frozen dataclasses, pure values. Every stage takes and gives these."""
