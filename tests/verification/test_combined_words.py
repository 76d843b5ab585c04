"""The words that published files hold: a changed one would be another format."""

from automatic_tasks.combining import NOT_THERE, WITHOUT_FIGURE
from verification import bundle_format as words


def test_they_are_those_that_bundles_hold_and_the_platform_says():
    assert (words.TOTAL, words.SUM, words.MEAN, words.PRINTED) == ("total", "sum", "mean", "printed")
    assert (NOT_THERE.value, WITHOUT_FIGURE.value) == ("absent", "no figure")
    assert words.TEAM_WITHOUT_RUN.format(team="A") == "team A"
