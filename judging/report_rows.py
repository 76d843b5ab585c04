"""A stored report as its page and the API show it. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from judging.variants import PROBES
from scoring.printed_figures import fixed, told_p

DASH = "–"
# With intervals over scenarios, as the workbench names them.
FIGURES = ("agreement", "alpha", "alpha_people", "bias", "pearson", "spearman", "kendall")


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """One criterion in words: figures with their intervals, a dash where nothing can be said."""

    name: str
    n: int
    agreement: str
    alpha: str
    alpha_people: str
    bias: str
    pearson: str
    spearman: str
    kendall: str
    cost: str
    alt_test: str
    power: str
    saved: str


@dataclass(frozen=True, slots=True)
class ProbeRow:
    title: Any
    words: Any
    n: int
    shift: str
    p: str
    is_found: bool | None


def criterion_rows(report: Mapping[str, Any], criteria: Mapping[str, Any]) -> list[CriterionRow]:
    """`criteria` by key, of the rubric as it is now; one that it lost goes by its key."""
    return [
        CriterionRow(
            name=criteria[key].name if key in criteria else key,
            n=one["n_compared"],
            cost=figure(one["cost_per_reliable"], 4),
            alt_test=_alt_test(one["alt_test"]),
            power=_power(one["alt_test"]),
            saved=_saved(one["saved"]),
            **{name: figure(one[name]) for name in FIGURES},
        )
        for key, one in report.get("criteria", {}).items()
    ]


def figure(told: Mapping[str, Any], decimals: int = 2) -> str:
    """`0.71 [0.60, 0.80]`."""
    if told["value"] is None:
        return DASH
    if told["interval"] is None:
        return fixed(told["value"], decimals)
    low, high = (fixed(end, decimals) for end in told["interval"])
    return f"{fixed(told['value'], decimals)} [{low}, {high}]"


def _alt_test(told: Mapping[str, Any] | None) -> str:
    if told is None:
        return DASH
    values = {"rate": fixed(told["winning_rate"], 2), "advantage": fixed(told["advantage"], 2)}
    if told["passes"]:
        return _("passes (ω %(rate)s, ρ %(advantage)s)") % values
    return _("does not pass (ω %(rate)s, ρ %(advantage)s)") % values


def _power(told: Mapping[str, Any] | None) -> str:
    """In which share of contests a judge as good as people would pass, by dialogues a person."""
    if told is None:
        return DASH
    return ", ".join(f"{one['n']}: {fixed(100 * one['share'], 0)}%" for one in told["power"])


def _saved(told: Mapping[str, Any] | None) -> str:
    if told is None:
        return DASH
    low, high = (fixed(end, 0) for end in told["reviews_interval"])
    return f"{fixed(told['reviews'], 0)} [{low}, {high}]"


def probe_rows(report: Mapping[str, Any]) -> list[ProbeRow]:
    """Those that were tried; shifts are shares of the scales, in percent."""
    found = report.get("probes", {})
    return [
        ProbeRow(
            probe.title, probe.words, told["n"], _shift(told), DASH if told["p"] is None else told_p(told["p"]),
            told["is_found"],
        )
        for probe in PROBES
        if (told := found.get(probe.key)) and told["n"]
    ]  # fmt: skip


def _shift(told: Mapping[str, Any]) -> str:
    if told["interval"] is None:
        return f"{fixed(100 * told['shift'], 1)}%"
    low, high = (fixed(100 * end, 1) for end in told["interval"])
    return f"{fixed(100 * told['shift'], 1)}% [{low}, {high}]"
