"""A window -> what one rule has looked for in it: a file each, a function each, and no rule knows another."""
