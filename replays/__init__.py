"""The lines of a finished dialogue put to a system once more, and systems that changed."""
