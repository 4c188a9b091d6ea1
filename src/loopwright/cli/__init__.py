"""The command line: parse, call, render. Data goes to stdout, all else to stderr."""
