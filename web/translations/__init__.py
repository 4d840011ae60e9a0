"""The words of the pages in languages other than English: a catalogue for each, and how they are gathered."""
