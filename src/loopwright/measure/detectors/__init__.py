"""One file per signal: `error_loop.py` with the class `ErrorLoop` finds `error_loop`."""
