"""The boards of single tasks: one run per team on one split."""
