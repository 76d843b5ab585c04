"""Which test files neither `make test` nor their own mark places: the long ones, and those that read the code instead of running it.

What this product promises (`tests/promises`) is never long: `make test` contains it.
"""

import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
# By room: `"dialogues": "races"` stands for `tests/dialogues/test_races.py`.
SUITES = {
    # Three seconds and more, but for what each dialogue and each board passes through. `make test-long` runs them all,
    # `.ci/run` every fifth test of each.
    "long": {
        "accounts": "details_pages",
        "accounts/log_in": "actions api handler recording views",
        "analysis": "figures frames growth sources",
        "api": "problems",
        "audit": "checks",
        "automatic_tasks": (
            "board_statistics combined_boards combined_freezing combined_statistics pages preset_boards run_boards run_scores "
            "runs service_views services worker"
        ),
        "campaigns": "any_campaign any_load dumping entering examples large_plans",
        "config": "settings",
        "conformance": "canary_calls guessing keeper lab sample_bots subjects",
        "conformance/actions": "fingerprints",
        "crowds": "arriving burst entry_pages screening secrecy",
        "demo": "demo published trial_campaigns views",
        "deploy": "compose guide wheel",
        "dialogues": "misbehaving_bots openings races",
        "frame/api_pages": "schema",
        "judging": "counting injections running workbench",
        "language_models": "asking",
        "leaderboards": "board_now exported_records exports figure_records stored_columns weights",
        "look": "markdown",
        "measures": "agreement board_statistics bradley_terry correlation judge_agreement tukey",
        "notifications": "mails webhooks",
        "operating": "backups data_checks",
        "organizing": "correlation_views meta_evaluation team_names views",
        "organizing/dialogues": "views words",
        "organizing/file": "views",
        "organizing/people": "views",
        "organizing/tasks": "views",
        "organizing/teams": "views",
        "organizing/wall": "views",
        "pairs": "board_document",
        "participants": "connections door line look_ups openai streams web_socket",
        "participants/bridge": "talks",
        "privacy": "erasing removing",
        "publication": (
            "organizer_views pair_boards paper_files published_dialogues published_records readiness views"
        ),
        "publication/actions": "publishing",
        "publication/bundle": "decided documents people plan_document writing",
        "reading": "json_texts toml_text xlsx_sheets",
        "releases": "releases",
        "replays": "keeper",
        "reviews": "deciding disputing drawing panel_survey queue races replay second_readings training views",
        "scoring": "bad_runs",
        "serving": "database_threads event_loop frames leases sqlite_in_turn",
        "simulation": "apart comparing",
        "team_desk": "trying views",
        "testing_console": "views",
        "testing_console/live": "breakers floor",
        "verification": "archive mutations pairs statistics verify",
        ".": "api_fuzz clocks contest_queries language_switch own_systems page_queries readers_of_outside trail",
    },
    # Code, templates, catalogues and documents as they are written. `make lint` runs them.
    "lint": {
        "automatic_tasks": "messages",
        "look": "bundles contrast",
        "participants": "failure_sentences limits",
        ".": "chores documents glossary house locale real_time recipes",
    },
}


def files_of(suite: str) -> list[Path]:
    return [TESTS / room / f"test_{name}.py" for room, names in SUITES[suite].items() for name in names.split()]


def mark(items: list[pytest.Item]) -> None:
    """Marks the tests of these files. A name of the lists that is no file any more ends the run."""
    paths = {path: suite for suite in SUITES for path in files_of(suite)}
    if gone := sorted(str(path.relative_to(TESTS)) for path in paths if not path.exists()):
        raise pytest.UsageError(f"tests/suites.py names what is not there: {', '.join(gone)}")
    for item in items:
        if suite := paths.get(item.path):
            item.add_marker(suite)


if __name__ == "__main__":
    print(*(path.relative_to(TESTS.parent) for suite in sys.argv[1:] for path in files_of(suite)))
