"""Bots that connect to the platform instead of being called: their frames, and the turns that wait for their replies."""
