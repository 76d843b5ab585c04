"""How each route that changes something is used with success, for tests/test_trail.py: a file per subject, a function per way."""
