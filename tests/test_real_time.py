"""Each file of tests that waits for real time is listed with its reason, and none asserts how long something took."""

import re
from pathlib import Path

TESTS = Path(__file__).parent
LISTED = dict(re.findall(r"^\| `([\w/]+\.py)` \| (.+) \|$", (TESTS / "README.md").read_text(), re.MULTILINE))
WAITS = re.compile(r"\bsleep\((?!0\))|wait_for_timeout\(|\b(?:monotonic|perf_counter|thread_time|process_time)\(\)")
# Another process may hold the machine for as long as it likes.
AT_MOST = re.compile(r"assert [^\n]*\b(?:monotonic|perf_counter)\(\) - \w+ <|assert took_s <")
# An outage whose length is the promise.
LIMITS = {"live/test_faults.py"}


def files() -> dict[str, str]:
    return {str(path.relative_to(TESTS)): path.read_text() for path in TESTS.rglob("*.py") if path != Path(__file__)}


def test_each_file_that_waits_for_real_time_is_listed_with_its_reason():
    assert {name for name, text in files().items() if WAITS.search(text)} == LISTED.keys()


def test_no_test_asserts_that_something_took_no_longer():
    assert {name for name, text in files().items() if AT_MOST.search(text)} <= LIMITS
