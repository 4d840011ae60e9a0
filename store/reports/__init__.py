"""What is told about items, properties, domains and the whole."""
