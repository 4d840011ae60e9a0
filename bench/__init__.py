"""Every claim about quality or speed, as a command that prints JSON: `python -m bench NAME`."""
