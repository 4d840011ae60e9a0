"""A small world to walk: real statements of Wikidata, and pages of our own writing that they cite."""
