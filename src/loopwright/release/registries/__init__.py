"""Where a team's prompts live besides the store, one file each: `langfuse.py` holds `Langfuse` and is `langfuse`."""
