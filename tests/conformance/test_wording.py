from conformance.probes import NAMES, TIME
from conformance.results import UNFINISHED
from conformance.wording import WORDING


def test_every_probe_has_a_name_and_says_what_to_do():
    assert set(NAMES) | {TIME, UNFINISHED, "labels", "batch"} == set(WORDING)
    assert all(wording.title and wording.advice.endswith(".") for wording in WORDING.values())
