"""A web of trouble: many hosts on loopback that answer slowly, wrongly, endlessly or not at all, and note who asks."""
