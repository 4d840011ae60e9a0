"""From the stances of passages to the verdict of a pair: ProVe's three ways."""
