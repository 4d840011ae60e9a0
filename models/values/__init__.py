"""Matching by rule: where a passage names the subject, the property and the value of a statement, and how."""
