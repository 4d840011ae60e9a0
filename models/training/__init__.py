"""Learning what ships: the classifier over a pair's features."""
