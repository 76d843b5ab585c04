"""What takes ten seconds and more without a server or a browser: `make test-long` runs it, `make test` does not.

Most of it goes through every route, role or statement there is; what one change breaks, the tests of its room see first.
"""

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
LONG = frozenset(
    TESTS / name
    for name in (
        "accounts/test_details_pages.py",
        "accounts/log_in/test_actions.py",
        "accounts/log_in/test_recording.py",
        "accounts/log_in/test_views.py",
        "campaigns/test_any_campaign.py",
        "campaigns/test_any_load.py",
        "demo/test_views.py",
        "publication/bundle/test_decided.py",
        "publication/bundle/test_writing.py",
        "verification/test_archive.py",
        "verification/test_mutations.py",
        "reviews/test_panel_survey.py",
        "reading/test_xlsx_sheets.py",
        "serving/test_sqlite_in_turn.py",
        "test_api_fuzz.py",
        "test_contest_queries.py",
        "test_page_queries.py",
        "test_readers_of_outside.py",
        "test_trail.py",
        "dialogues/test_openings.py",
    )
)


def mark(items: list[pytest.Item]) -> None:
    """Marks the tests of these files as long. A name of the list that is no file any more ends the run."""
    if gone := sorted(str(path.relative_to(TESTS)) for path in LONG if not path.exists()):
        raise pytest.UsageError(f"tests/long_suites.py names what is not there: {', '.join(gone)}")
    for item in items:
        if item.path in LONG:
            item.add_marker("long")


if __name__ == "__main__":
    print(*sorted(path.relative_to(TESTS.parent) for path in LONG))
