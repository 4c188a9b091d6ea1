"""The kinds of criteria, one file each: `grep.py` holds `GrepCriteria` and is the kind `grep`."""
