import json

from reviews.trail import digest_of
from tests.reviews.chains import first_broken

LINES = [{"version": 1, "after": {"comment": "好"}}, {"version": 2, "after": None}, {"version": 3, "after": {}}]


def chained():
    previous, chain = "", []
    for line in LINES:
        previous = digest_of(line, previous)
        chain.append((line, previous))
    return chain


def test_a_chain_that_nobody_touched_holds():
    assert first_broken(chained()) is None
    assert first_broken([]) is None


def test_one_changed_byte_is_found_where_it_is():
    chain = chained()
    text = json.dumps(chain[1][0]).replace("null", "true")
    chain[1] = (json.loads(text), chain[1][1])
    assert first_broken(chain) == 1


def test_a_line_that_is_missing_or_moved_is_found():
    chain = chained()
    assert first_broken([chain[0], chain[2]]) == 1
    assert first_broken([chain[1], chain[0], chain[2]]) == 0


def test_the_digest_does_not_depend_on_the_order_of_keys():
    assert digest_of({"a": 1, "b": 2}, "") == digest_of({"b": 2, "a": 1}, "")
