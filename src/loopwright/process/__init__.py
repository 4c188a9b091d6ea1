"""Starting programs, reading what they print, and leaving none of them behind."""
