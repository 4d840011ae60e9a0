"""ProVe itself: pure functions of values and weights. Imports nothing of ours but itself."""
