"""Constructed pages of which it is known what each sentence says: what the verifier learns from."""
