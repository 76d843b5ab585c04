from tests.team_desk.conftest import browser, other_entry, rival

__all__ = ["browser", "other_entry", "rival"]
