"""Numbers -> what can be said of them. Nothing here knows of runs."""
