"""The stance of one passage towards a claim."""
