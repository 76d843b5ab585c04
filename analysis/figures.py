"""Figures of frames, by the rules of the platform: the board, how far reviewers agree, how metrics go together with people's scores.

Each is a frame of its own, unrounded. Tests compare them with the platform's to 1e-9.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.bundles import Frames
from leaderboards import explanations
from measures.agreement import fleiss_kappa, krippendorff_alpha, raw_agreement
from measures.correlation import Coefficient, Correlations, over_systems
from measures.live import COMPLETION, MEAN_TURNS
from measures.ranking import RankingKey, rank
from measures.resampling import N_RESAMPLES
from verification.boards import columns_of
from verification.scores import REVIEWABLE

# The column of `records` that a figure is the mean of, where it has another name.
MEANS_OF = {COMPLETION.name: "completion", MEAN_TURNS.name: "charged_turns"}
COEFFICIENTS = ("pearson", "spearman", "kendall")
SAID = ("alpha", "kappa", "raw")
# As in `reviews/agreement.py`: reviewers × things that are compared at once. What a bundle holds must not exhaust the memory.
LARGEST_TABLE = 5_000_000


def board(frames: Frames) -> pd.DataFrame:
    """The leaderboard: one row per bot with `rank`, `team`, `name`, `n_records`, its figures and, where the bundle has them, their 95%
    intervals (`…_low`, `…_high`). Ties share a rank; bots without a record come last, without one.

    `attrs["figures"]` has the letter, the names and the better direction of each figure.
    """
    figures = columns_of(frames.campaign)
    keys = [figure["key"] for figure in figures]
    bots = frames.bots.set_index(frames.bots["bot"].astype("str"))
    made = bots[["team", "name"]].join(_means(frames.records, keys, [frames.records["bot"].astype("str")]))
    made["n_records"] = made["n_records"].fillna(0).astype("Int64")
    scored = made[made["n_records"] > 0]
    rule = [RankingKey(key["key"], key["better"]) for key in frames.campaign["rule"]]
    rows = {bot: _present(row) for bot, row in zip(scored.index, scored[keys].to_dict("records"), strict=True)}
    made.insert(0, "rank", pd.Series({one.name: one.rank for one in rank(rows, rule)}, dtype="Int64"))
    made = made.join(_intervals(frames.statistics or {}, scored["n_records"], keys))
    made.attrs["figures"] = [{**figure, "names": _names(frames.campaign, figure["key"])} for figure in figures]
    return made.rename_axis("bot").sort_values(["rank", "team", "name", "bot"])


def _means(records: pd.DataFrame, keys: Sequence[str], by: Sequence[pd.Series]) -> pd.DataFrame:
    """The weighted means of the figures and `n_records`, by group; NaN where no record has a score."""
    figures = records[[MEANS_OF.get(key, key) for key in keys]].astype("float64").set_axis(keys, axis="columns")
    weights = figures.notna().mul(records["weight"], axis="index")
    totals = figures.mul(records["weight"], axis="index").groupby(by).sum()
    means = totals / weights.groupby(by).sum()
    means.insert(0, "n_records", records.groupby(by).size())
    return means


def _present(figures: Mapping[str, float]) -> dict[str, float]:
    return {key: value for key, value in figures.items() if not np.isnan(value)}


def _intervals(statistics: Mapping[str, Any], n_records: pd.Series, keys: Sequence[str]) -> pd.DataFrame:
    """As the page shows them: of few records nothing is said, and ranks have intervals where all rows have."""
    drawn = statistics.get("rows", {})
    sure = {bot: drawn[bot] for bot, n in n_records.items() if n >= explanations.FEWEST and bot in drawn}
    rows: dict[str, dict[str, Any]] = {}
    for bot, found in sure.items():
        ends = {key: found["intervals"][key] for key in keys if key in found["intervals"]}
        if len(sure) == len(n_records) and found.get("rank_interval"):
            ends["rank"] = found["rank_interval"]
        rows[str(bot)] = {f"{key}_{end}": one for key, pair in ends.items() for end, one in _ends(pair)}
    return pd.DataFrame.from_dict(rows, orient="index")


def _ends(pair: Sequence[float]) -> list[tuple[str, float]]:
    return [("low", pair[0]), ("high", pair[1])]


def _names(campaign: Mapping[str, Any], key: str) -> Mapping[str, str]:
    """What the rubric calls the criterion, by language."""
    return next((one["name"] for one in campaign["rubric"]["criteria"] if one["key"] == key), {})


def agreement(frames: Frames) -> pd.DataFrame:
    """How far reviewers agree, one row per criterion: `level`, `n_ratings`, `n_shared` (things that several rated), Krippendorff's
    `alpha`, Fleiss' `kappa` and `raw` agreement.

    Compared are the panel's scores of dialogues that can be reviewed, else those of imported records. Empty is what cannot be said, and
    what is too much to be compared at once.
    """
    criteria = frames.campaign["rubric"]["criteria"]
    of_panel = _panel_scores(frames) if frames.campaign["settings"]["reviewed_by"] in ("panel", "both") else {}
    of_imported = _imported_scores(frames, [one["key"] for one in criteria if one["kind"] == "scale"])
    rows = {}
    for one in criteria:
        scores = of_panel.get(one["key"], of_imported.get(one["key"]))
        if scores is not None and len(scores):
            rows[one["key"]] = _agreed(scores, "nominal" if one["kind"] == "label" else "ordinal")
    kinds = {"level": "str", "n_ratings": "Int64", "n_shared": "Int64", **dict.fromkeys(SAID, "float64")}
    return pd.DataFrame.from_dict(rows, orient="index", columns=list(kinds)).astype(kinds).rename_axis("criterion")


def _panel_scores(frames: Frames) -> dict[str, pd.DataFrame]:
    """By criterion who gave what thing which score: a thing is a dialogue, or a subtask or turn of it."""
    ratings, dialogues = frames.ratings, frames.dialogues
    reviewable = dialogues.loc[dialogues["status"].isin(REVIEWABLE), "dialogue"]
    own = ratings[(ratings["part"] == "panel") & ratings["dialogue"].isin(reviewable)]
    things = own.groupby(["dialogue", "place"], observed=True).ngroup()
    scores = pd.DataFrame({"reviewer": own["reviewer"], "thing": things, "score": own["score"].astype("float64")})
    return {str(key): one for key, one in scores.groupby(own["criterion"], observed=True)}


def _imported_scores(frames: Frames, keys: Sequence[str]) -> dict[str, pd.DataFrame]:
    own = frames.records[frames.records["is_imported"]]
    things = own.groupby(["bot", "scenario", "dialogue"], observed=True, dropna=False).ngroup()
    scores = pd.DataFrame({"reviewer": own["reviewer"], "thing": things})
    return {key: scores.assign(score=own[key]).dropna(subset="score") for key in keys}


def _agreed(scores: pd.DataFrame, level: Any) -> list[Any]:
    reviewers, things = (pd.factorize(scores[name])[0] for name in ("reviewer", "thing"))
    n_reviewers, n_things, n_values = reviewers.max() + 1, things.max() + 1, scores["score"].nunique()
    # Counts of things × values and distances of values × values are made of the table.
    if max(n_reviewers, n_values) * max(n_things, n_values) > LARGEST_TABLE:
        return [level, len(scores), None, None, None, None]
    table = np.full((n_reviewers, n_things), np.nan)
    table[reviewers, things] = scores["score"]
    n_shared = int((np.bincount(things) > 1).sum())
    return [level, len(scores), n_shared, krippendorff_alpha(table, level), fleiss_kappa(table), raw_agreement(table)]


def correlations(
    frames: Frames, metrics: pd.DataFrame, *, seed: int = 0, n_resamples: int = N_RESAMPLES
) -> pd.DataFrame:
    """How metrics go together with each figure of the board over the bots, one row per pair: `n`, then `pearson`, `spearman` and
    `kendall`, each with its 95% interval and its p.

    `metrics` has one column per metric; its index is the bot, or skill and bot. Kendall's interval is drawn from the bots in the order of
    the board. Errors: `ValueError` where no bot of the index is on the board.
    """
    told = metrics.set_axis([("", bot) for bot in metrics.index]) if metrics.index.nlevels == 1 else metrics
    people = _people(frames)
    rows_of = told.astype("float64").to_dict("index")
    automatic = {place: _present(rows_of[place]) for place in people if place in rows_of}
    if not automatic:
        raise ValueError("No row of the metrics is of a bot on the board: their index names bots by their keys.")
    found = over_systems(automatic, people, seed=seed, n_resamples=n_resamples)
    rows = [
        {"skill": one.group, "metric": one.metric, "criterion": one.criterion, "n": one.correlations.n}
        | {name: value for coefficient in COEFFICIENTS for name, value in _told(one.correlations, coefficient)}
        for one in found
    ]
    figures = [name for name in rows[0] if name.startswith(COEFFICIENTS)] if rows else []
    return pd.DataFrame(rows).astype(dict.fromkeys(figures, "float64"))


def _people(frames: Frames) -> dict[tuple[str, str], dict[str, float]]:
    """The figures of each bot in the order of the board, then those of the scenarios of each skill."""
    keys = [figure["key"] for figure in columns_of(frames.campaign)]
    ranked = board(frames).dropna(subset="rank")
    skills = dict(zip(frames.scenarios["scenario"], frames.scenarios["skill"], strict=True))
    of_skill = frames.records["scenario"].map(skills).astype("str")
    own = frames.records[of_skill.fillna("") != ""]
    by_skill = _means(own, keys, [of_skill[own.index], own["bot"].astype("str")])
    of_all = {("", bot): row for bot, row in ranked[keys].to_dict("index").items()}
    return {place: _present(row) for place, row in (of_all | by_skill[keys].to_dict("index")).items()}


def _told(found: Correlations, coefficient: str) -> list[tuple[str, float | None]]:
    one: Coefficient | None = getattr(found, coefficient)
    low, high = (one and one.interval) or (None, None)
    value, p = (one.value, one.p) if one else (None, None)
    return [(coefficient, value), (f"{coefficient}_low", low), (f"{coefficient}_high", high), (f"{coefficient}_p", p)]
