"""The results bundle: everything that a leaderboard is made of, in one zip that anybody can check (`verification/`)."""

from publication.bundle.writing import bundle_pieces

__all__ = ["bundle_pieces"]
