"""The list of what only the digest finds, with every place of every field changed: some thousands of changes."""

import pytest

from tests.verification.test_mutations import assert_the_page_lists, bundles

__all__ = ["bundles"]
pytestmark = pytest.mark.django_db


def test_what_only_the_digest_finds_is_what_the_page_lists_wherever_it_stands(bundles):
    assert_the_page_lists(bundles, is_sampled=False)
