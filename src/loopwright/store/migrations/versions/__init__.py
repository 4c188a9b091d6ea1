"""The steps: 0001_foundation.py makes version 0001. The number in the name is what a store says it is."""
