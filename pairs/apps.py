from django.apps import AppConfig


class PairsConfig(AppConfig):
    name = "pairs"

    def ready(self) -> None:
        from leaderboards.exports import EXPORTS
        from pairs.board.exporting import PAIRS

        # Rooms above know nothing of pairs; what they list, they list with them.
        EXPORTS[PAIRS.name] = PAIRS
