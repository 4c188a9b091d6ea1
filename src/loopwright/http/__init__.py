"""HTTP: what other programs send, and whether they may."""
