"""The agents, one file each: `command.py` holds `Command` and is the agent `command`."""
