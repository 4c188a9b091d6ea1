"""What thinks: a question and a Pydantic type in, an instance of it out. One file per way to ask."""
