"""Which test files neither `make test` nor their own mark places: the long ones, and those that read the code instead of running it.

What this product promises (`tests/promises`) is never long: `make test` contains it.
"""

import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
# By room: `"dialogues": "races"` stands for `tests/dialogues/test_races.py`.
SUITES = {
    # Two seconds and more, but for what each dialogue and each board passes through. `make test-long` runs them all and
    # single tests that are marked long; `.ci/run` runs every eleventh.
    "long": {
        "accounts": "details_pages",
        "accounts/log_in": "actions api handler recording views",
        "accounts/second_factor": "code_page",
        "analysis": "command figures frames growth sources",
        "api": "problems",
        "audit": "checks verify_trail",
        "automatic_tasks": (
            "board_statistics combined_boards combined_freezing combined_statistics dumping inputs loading pages preset_boards run_api "
            "run_boards run_items run_scores runs service_stages service_views services trail_acts worker"
        ),
        "campaigns": "any_campaign any_load entering examples",
        "campaigns/campaign_file": "dumping",
        "campaigns/planning": "large_plans",
        "config": "settings",
        "conformance": "canary_calls clock conformance guessing keeper lab label_services sample_bots subjects views",
        "conformance/actions": "fingerprints",
        "crowds": "arriving burst entry_pages screening secrecy",
        "demo": "demo published simulated trial_campaigns views",
        "deploy": "compose guide wheel",
        "dialogues": "importing misbehaving_bots openings races",
        "frame": "pictures",
        "frame/api_pages": "schema",
        "judging": "counting injections pages running workbench",
        "language_models": "asking budgets scripted_at_work",
        "leaderboards": "board_now explanations exported_records exports figure_records stored_columns trail_acts weights",
        "leaderboards/diagnostics": "agreement_board slices",
        "leaderboards/paper": "paper_files",
        "look": "markdown",
        "measures": "agreement board_statistics bradley_terry correlation joined_samples resampling reviewers tukey",
        "measures/judges": "judge_agreement",
        "notifications": "mails webhooks",
        "operating": "backups data_checks watch_files",
        "organizing": "correlation_views meta_evaluation team_names views",
        "organizing/dialogues": "views words",
        "organizing/file": "views",
        "organizing/people": "views",
        "organizing/scenarios": "views",
        "organizing/tasks": "api views",
        "organizing/teams": "api views",
        "organizing/trail": "views",
        "organizing/wall": "needs_reading reading views",
        "pairs": "board_document opening",
        "participants": "connections dial_out door line look_ups mapping openai places shared_places streams traffic web_socket",
        "participants/bridge": "talks",
        "privacy": "erasing removing",
        "publication": "freeze_progress organizer_views pair_boards paper_files readiness views",
        "publication/published": "published_dialogues published_records",
        "publication/actions": "publishing",
        "publication/bundle": "decided documents downloads people plan_document writing",
        "reading": "json_texts toml_text xlsx_sheets",
        "registration": "asking_teams",
        "releases": "releases",
        "replays": "keeper views",
        "reviews": "deciding disputing drawing guide_examples panel_survey queue races replay second_readings training views",
        "scoring": "bad_runs correlate_command score_command",
        "serving": "database_threads leases sqlite_in_turn",
        "serving/server": "daphne_server event_loop frames",
        "simulation": "apart comparing programs_page rehearsing",
        "team_desk": "dial_keys trying views",
        "testing_console": "views",
        "testing_console/live": "breakers floor other_processes",
        "verification": "archive mutations pairs statistics verify verifying",
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
