"""Reads the chain of a review's changes as exports publish it."""

from reviews.trail import digest_of


def first_broken(lines):
    """The place (from 0) of the first line whose digest is not that of what it says; None where the chain holds."""
    previous = ""
    for place, (line, digest) in enumerate(lines):
        if digest_of(line, previous) != digest:
            return place
        previous = digest
    return None
