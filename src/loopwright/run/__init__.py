"""Task + profile -> run: the agent at work in its own clone, and the criteria that judge it."""
