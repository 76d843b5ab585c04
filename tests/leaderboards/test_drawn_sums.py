"""What figures are drawn from: the sums of each system on each scenario, in the order of keys."""

import pytest

from leaderboards.statistics import sums_of
from tests.publication.conftest import bundles, scored

__all__ = ["bundles", "scored"]
pytestmark = pytest.mark.django_db


def test_entries_come_in_the_order_of_their_keys_which_a_bundle_has_too(scored):
    beta, gamma = (scored.entries.get(bot__name=f"Team {name}'s bot") for name in ("Beta", "Gamma"))
    scored.entries.filter(pk=beta.pk).update(key="z")
    assert sums_of(scored).entries == (gamma.pk, beta.pk)
    assert sums_of(scored).cells.shape == (4, 2, 5, 2)
    assert sums_of(scored, only={beta.pk}).entries == (beta.pk,)
