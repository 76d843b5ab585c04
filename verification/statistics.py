"""statistics.json: drawn again from the records of the bundle with the seed that it tells, and compared figure by figure.

Needs numpy and scipy, unlike everything else here, and some seconds: it is done where it is asked for.
"""

import math
from collections.abc import Iterator, Mapping
from typing import Any

from measures.cell_statistics import NamedCell, bundled_statistics
from measures.live import LiveSums
from measures.ranking import RankingKey
from verification.boards import columns_of
from verification.bundle_format import STATISTICS
from verification.comparing import differences
from verification.findings import Findings, shown
from verification.tables import Object, parsed

# Sums in another order, as other processors add them, differ in the last digits of sixteen.
TOLERANCE = 1e-9


def drawn_again(campaign: Object, cells: Mapping[NamedCell, LiveSums]) -> dict[str, Any]:
    """Errors: `ImportError` where numpy and scipy are missing."""
    keys = [RankingKey(key["key"], key["better"]) for key in columns_of(campaign)]
    rule = [RankingKey(key["key"], key["better"]) for key in campaign["rule"]]
    return bundled_statistics(cells, keys, rule)


def compare_statistics(content: bytes, drawn: Mapping[str, Any], findings: Findings) -> int:
    """How many figures were compared; 0 where the bundle holds none, since they were not computed when it was written."""
    try:
        told = parsed(content)
    except ValueError as bad:
        findings.note(STATISTICS, f"is no JSON: {shown(str(bad))}")
        return 0
    actual = told.get("statistics") if isinstance(told, dict) else told
    if actual is None:
        return 0
    if not isinstance(actual, dict):
        findings.note(STATISTICS, "holds no statistics")
        return 0
    # Another numpy may draw otherwise; that is told with what differs, and is no difference itself.
    theirs, ours = actual.get("numpy"), drawn["numpy"]
    hint = "" if theirs == ours else f" (drawn with numpy {shown(theirs)}; here it is {ours})"
    for where, then, now in differences(drawn, {**actual, "numpy": ours}):
        if not _are_close(then, now):
            text = f"{where} is {shown(now)}; drawn again it is {shown(then)}{hint}"
            findings.note(STATISTICS, text, figure=where)
    return sum(1 for _ in _numbers(drawn))


def _are_close(one: Any, other: Any) -> bool:
    are_floats = isinstance(one, float) and isinstance(other, float)
    return are_floats and math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def _numbers(value: Any) -> Iterator[float]:
    match value:
        case dict():
            for one in value.values():
                yield from _numbers(one)
        case list():
            for one in value:
                yield from _numbers(one)
        case float() | int():
            yield value
