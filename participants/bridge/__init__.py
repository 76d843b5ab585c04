"""A command-line bot as a bot of the native protocol. Needs aiohttp and nothing of Django."""
