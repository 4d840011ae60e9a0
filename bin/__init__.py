"""What starts and sets up the parts: commands, no library."""
