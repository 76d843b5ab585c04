"""Which test files neither `make test` nor their own mark places: the long ones, and those that read the code instead of running it.

What this product promises (`tests/promises`) is never long: `make test` contains it.
"""

import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SUITES = {
    # Ten seconds and more; what one change breaks, the tests of its room see first. `make test-long` runs them.
    "long": (
        "accounts/test_details_pages.py",
        "accounts/log_in/test_actions.py",
        "accounts/log_in/test_recording.py",
        "accounts/log_in/test_views.py",
        "analysis/test_figures.py",
        "analysis/test_growth.py",
        "campaigns/test_any_campaign.py",
        "campaigns/test_any_load.py",
        "crowds/test_arriving.py",
        "crowds/test_burst.py",
        "crowds/test_entry_pages.py",
        "crowds/test_secrecy.py",
        "demo/test_views.py",
        "deploy/test_guide.py",
        "dialogues/test_openings.py",
        "judging/test_counting.py",
        "judging/test_running.py",
        "judging/test_workbench.py",
        "leaderboards/test_figure_records.py",
        "leaderboards/test_stored_columns.py",
        "leaderboards/test_weights.py",
        "measures/test_bradley_terry.py",
        "measures/test_judge_agreement.py",
        "notifications/test_mails.py",
        "notifications/test_webhooks.py",
        "operating/test_backups.py",
        "publication/bundle/test_decided.py",
        "publication/bundle/test_people.py",
        "publication/bundle/test_writing.py",
        "reading/test_xlsx_sheets.py",
        "releases/test_releases.py",
        "reviews/test_panel_survey.py",
        "serving/test_sqlite_in_turn.py",
        "simulation/test_apart.py",
        "test_api_fuzz.py",
        "test_clocks.py",
        "test_contest_queries.py",
        "test_page_queries.py",
        "test_readers_of_outside.py",
        "test_trail.py",
        "verification/test_archive.py",
        "verification/test_mutations.py",
        "verification/test_pairs.py",
    ),
    # Code, templates, catalogues and documents as they are written. `make lint` runs them.
    "lint": (
        "automatic_tasks/test_messages.py",
        "look/test_bundles.py",
        "look/test_contrast.py",
        "participants/test_failure_sentences.py",
        "participants/test_limits.py",
        "test_chores.py",
        "test_documents.py",
        "test_glossary.py",
        "test_house.py",
        "test_locale.py",
        "test_real_time.py",
        "test_recipes.py",
    ),
}


def mark(items: list[pytest.Item]) -> None:
    """Marks the tests of these files. A name of the lists that is no file any more ends the run."""
    paths = {TESTS / name: suite for suite, names in SUITES.items() for name in names}
    if gone := sorted(str(path.relative_to(TESTS)) for path in paths if not path.exists()):
        raise pytest.UsageError(f"tests/suites.py names what is not there: {', '.join(gone)}")
    for item in items:
        if suite := paths.get(item.path):
            item.add_marker(suite)


if __name__ == "__main__":
    print(*(f"tests/{name}" for suite in sys.argv[1:] for name in SUITES[suite]))
