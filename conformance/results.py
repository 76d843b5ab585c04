"""What a probe found and what a report says in all. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from reading.findings import Finding

# Stands at the end of a report that the platform could not finish: such a report says nothing about the bot as a whole.
UNFINISHED = "unfinished"


class Verdict(StrEnum):
    PASS = "pass"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Result:
    """`curl` sends the request again that failed, without the secret; empty where nothing failed."""

    name: str
    verdict: Verdict
    sentence: Finding
    curl: str = ""
    took_ms: int = 0

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "verdict": str(self.verdict),
            "sentence": self.sentence.to_json(),
            "curl": self.curl,
            "took_ms": self.took_ms,
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Result":
        sentence = Finding.from_json(stored["sentence"])
        return cls(stored["name"], Verdict(stored["verdict"]), sentence, stored["curl"], stored["took_ms"])


def verdict_of(results: Iterable[Result]) -> Verdict:
    """The worst one; a report without results has failed."""
    found = {result.verdict for result in results}
    if Verdict.FAIL in found or not found:
        return Verdict.FAIL
    return Verdict.WARN if Verdict.WARN in found else Verdict.PASS


def is_finished(results: Iterable[Result]) -> bool:
    return all(result.name != UNFINISHED for result in results)


def is_green(verdict: str) -> bool:
    """Warnings keep no bot out: what only stands out is the team's to decide."""
    return verdict in {Verdict.PASS, Verdict.WARN}


def percentile(values: Iterable[int], share: float) -> int:
    """The nearest rank: the smallest value that at least that share of the values does not exceed; 0 of none."""
    ordered = sorted(values)
    rank = -(-len(ordered) * round(share * 100) // 100)
    return ordered[max(rank, 1) - 1] if ordered else 0
