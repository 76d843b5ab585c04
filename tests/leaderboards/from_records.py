"""What the sentences of an explanation say, computed from the lines of a record file: plain Python that shares no code with Huace."""

import random
from collections import defaultdict
from math import sqrt
from statistics import fmean, stdev

from scipy.stats import nct, t


def scores_of(record):
    """The figures of one record in the order of SMP2018's rule, each so that more is better."""
    parts, ratings = record["subtasks"], record["ratings"]
    turns = sum(part["turns"] if part["completed"] else part["cap"] for part in parts)
    completed = int(all(part["completed"] for part in parts))
    return completed, -turns, ratings["satisfaction"], ratings["fluency"], ratings["guidance"]


def by_team_and_scenario(records):
    """Of each team the sums of its figures by scenario; all have as many records in each."""
    sums = defaultdict(lambda: defaultdict(lambda: (0, 0, 0, 0, 0)))
    for record in records:
        at = sums[record["team"]]
        at[record["scenario"]] = tuple(map(sum, zip(at[record["scenario"]], scores_of(record), strict=True)))
    return sums


def shares_ahead(records, one, other, n=4000):
    """How often each of two teams comes first where scenarios are drawn with replacement."""
    sums, rng = by_team_and_scenario(records), random.Random(7)
    scenarios = sorted(sums[one])
    ahead = behind = 0
    for _ in range(n):
        drawn = rng.choices(scenarios, k=len(scenarios))
        ours, theirs = (tuple(map(sum, zip(*(sums[team][at] for at in drawn), strict=True))) for team in (one, other))
        ahead += ours > theirs
        behind += ours < theirs
    return ahead / n, behind / n


def tukey_p(records, one, other, n=2000):
    """How often completions shuffled among all teams, scenario by scenario, have two means as far apart as those of the pair."""
    sums, rng = by_team_and_scenario(records), random.Random(7)
    teams, scenarios = sorted(sums), sorted(sums[one])
    rows = [[sums[team][at][0] for team in teams] for at in scenarios]
    apart = abs(sum(sums[one][at][0] - sums[other][at][0] for at in scenarios))
    n_as_far = 0
    for _ in range(n):
        totals = [sum(column) for column in zip(*(rng.sample(row, len(row)) for row in rows), strict=True)]
        n_as_far += max(totals) - min(totals) >= apart
    return (n_as_far + 1) / (n + 1)


def power(records, one, other, n):
    """That of a two-sided paired t-test of the completions over n scenarios, if they differ as they were seen to (scipy's own distribution)."""
    sums = by_team_and_scenario(records)
    differences = [(sums[one][at][0] - sums[other][at][0]) / 3 for at in sorted(sums[one])]
    shift = fmean(differences) / stdev(differences) * sqrt(n)
    edge = t.ppf(0.975, n - 1)
    return nct.sf(edge, n - 1, shift) + nct.cdf(-edge, n - 1, shift)
