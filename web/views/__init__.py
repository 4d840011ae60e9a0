"""One module for each kind of page; each has a blueprint named `pages`."""
