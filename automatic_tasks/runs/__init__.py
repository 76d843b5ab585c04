"""Runs from the hand-in to the stored score: quotas, queue, worker, files."""
