"""The server process as the network sees it: requests, frames, static files, and an end that loses nothing."""
