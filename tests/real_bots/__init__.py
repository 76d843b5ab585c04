"""Adapters against real servers of their protocols, which are installed on first use: `make test-real-bots`, outside `make test`."""
