from collections import Counter
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from campaigns.interleaving import interleaved, lot


def in_order(things, seed=1):
    return interleaved(things, kind_of=lambda thing: thing[0], lot_of=lambda thing: lot(seed, thing))


@given(kinds=st.lists(st.sampled_from("abcd"), max_size=30), seed=st.integers())
def test_a_kind_follows_itself_only_where_there_are_too_few_others(kinds, seed):
    things = [f"{kind}{number}" for number, kind in enumerate(kinds)]
    order = in_order(things, seed)
    assert sorted(order) == sorted(things)
    most = max(Counter(kinds).values(), default=0)
    repeated = sum(one[0] == other[0] for one, other in pairwise(order))
    assert repeated == max(0, most - (len(kinds) - most) - 1)


@given(things=st.permutations([f"{kind}{number}" for kind in "abc" for number in range(4)]))
def test_the_order_given_does_not_matter(things):
    assert in_order(things) == in_order(sorted(things))


def test_a_lot_is_the_same_in_every_process():
    """Worked out with `printf '7\\nr1\\nd1' | b2sum -l 128`."""
    assert lot(7, "r1", "d1").hex() == "f1035091a43d62c4642a2db3f03ce9db"
