"""python3 huace-verify.pyz BUNDLE.zip: checks that a results bundle is what it says, without any database. Free of Django.

Prints what was checked and exits with 0, or names what differs and exits with 1.
"""

import argparse
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from verification.archive import digest_of
from verification.bundle_format import COMBINED, OF_RUNS, PAIR_BOARD, PAIRS, PLAN, RUNS, STATISTICS
from verification.findings import BAD_VALUES, Unreadable
from verification.tables import parsed
from verification.verifying import Report, verify

NAME = "huace-verify.pyz"
FAILED = 1
# What the public page calls the document of a frozen board; some megabytes at most, with all statistics.
JSON_NAME, JSON_LIMIT_BYTES = "leaderboard.json", 64 << 20


class Output(Protocol):
    """Where it is told: a terminal, or what Django gives a command."""

    def write(self, text: str, /) -> object: ...


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("bundle", metavar="BUNDLE.zip", type=Path)
    parser.add_argument("--digest", default="", help="the SHA-256 that was published for the bundle")
    parser.add_argument(
        "--statistics", action="store_true", help="draw intervals, ranks and tests again, too; needs numpy and scipy"
    )
    parser.add_argument("--format", default="text", choices=["text", "json"])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog=f"python3 {NAME}", description=__doc__)
    add_arguments(parser)
    options = parser.parse_args(arguments)
    return run(options.bundle, digest=options.digest, format=options.format, draws=options.statistics, out=sys.stdout)


def run(bundle: Path, *, digest: str, format: str, out: Output, draws: bool = False) -> int:
    """Verifies the bundle and tells it; gives the exit code. `draws` says whether its statistics are drawn again."""
    try:
        if draws:
            check_libraries()
        report = verify(bundle, draws=draws)
    except Unreadable as bad:
        out.write(as_json(bundle, None, str(bad)) if format == "json" else f"{bad}\nNot verified.\n")
        return FAILED
    cited = Cited(bundle, report.digest, digest.strip().lower())
    if format == "json":
        out.write(as_json(bundle, report, cited.problem, not_checked=not_checked(report, cited, draws=draws)))
    else:
        out.write("".join(f"{line}\n" for line in sentences(bundle, report, cited, draws=draws)))
    return FAILED if cited.problem or not report.is_verified else 0


@dataclass(frozen=True, slots=True)
class Cited:
    """The digest that was published, or none: of this very bundle, or of the leaderboard's JSON that names it."""

    bundle: Path
    digest: str
    published: str

    @property
    def problem(self) -> str:
        if self.published in ("", self.digest):
            return ""
        json_file = self._json_file
        told = f"The digest of the bundle is {self.digest}, not the published {self.published}"
        if json_file is None:
            return (
                f"{told}: it is another file, or {self.published[:12]} is that of the leaderboard's JSON. "
                f"Then put {JSON_NAME} beside the bundle and ask again."
            )
        if (named := _bundle_named_in(json_file)) != self.digest:
            return f"{told}, which is that of {json_file.name}: this names the bundle {named}, so it is another file."
        return ""

    @property
    def note(self) -> str:
        """What the published digest is of, where it is not the bundle's own and leads to it all the same."""
        if self.problem or self.published in ("", self.digest):
            return ""
        json_file = self._json_file
        return f"The published digest is that of {json_file and json_file.name}, which names this very bundle. Cite the bundle's."

    @property
    def _json_file(self) -> Path | None:
        """The leaderboard's JSON beside the bundle that has the published digest."""
        beside = sorted(self.bundle.parent.glob(f"*{JSON_NAME}"))
        found = (one for one in beside if one.is_file() and one.stat().st_size <= JSON_LIMIT_BYTES)
        return next((one for one in found if digest_of(one) == self.published), None)


def _bundle_named_in(json_file: Path) -> str:
    """The digest of the bundle that the leaderboard's JSON was frozen with."""
    try:
        told = parsed(json_file.read_bytes())
        return str(told["bundle"]["sha256"])
    except BAD_VALUES:
        return "of nobody"


def sentences(bundle: Path, report: Report, cited: Cited, *, draws: bool = False) -> list[str]:
    """What people read."""
    told = [_title(bundle, report), *(f"  differs: {one}" for one in report.findings)]
    if cited.problem:
        told.append(f"  differs: {cited.problem}")
    if cited.problem or not report.is_verified:
        n = report.n_findings + bool(cited.problem)
        told.append(f"NOT VERIFIED: {n} {'difference' if n == 1 else 'differences'}.")
    else:
        told += [f"  checked: {one}" for one in _checked(report)]
        told += [f"  not checked: {one}" for one in not_checked(report, cited, draws=draws).values()]
        told.append(f"VERIFIED: {_verdict(report)}.")
    return [*told, f"SHA-256 of the bundle: {report.digest}", *filter(None, [cited.note, _trail(report)])]


def _trail(report: Report) -> str:
    """Where the platform's trail ended when the bundle was written; bundles of the format before do not tell."""
    told = report.manifest.get("trail")
    if not isinstance(told, dict):
        return ""
    return f"The platform's trail had {told.get('n_lines')} lines then; its head is {told.get('head')} (manage.py verify_trail --head)."


def not_checked(report: Report, cited: Cited, *, draws: bool) -> dict[str, str]:
    """What the verdict says nothing about, by a word for programs, in a sentence for people."""
    left: dict[str, str] = {}
    if report.counts[COMBINED]:
        left["runs"] = "how the runs were scored: what they were scored against is in no bundle"
        left["intervals_of_runs"] = (
            "the intervals of a board with runs cannot be drawn again: that takes each run's sums per item, which beside the run tell the gold"
        )
    if not report.counts[STATISTICS] and _has_people(report):
        left["statistics"] = (
            "intervals and tests: the bundle holds no statistics"
            if draws
            else "intervals and tests: --statistics draws them again, with numpy and scipy"
        )
    if _has_people(report) and not report.counts[PLAN]:
        left["plan"] = "how the plan was drawn: the bundle tells no seed"
    if report.counts[PAIRS] and not draws:
        left["pairs"] = "intervals of the board of pairs: --statistics draws them again, with numpy and scipy"
    if report.counts["imported.jsonl"]:
        left["imported"] = "what imported records were made of: they are as they came"
    if not cited.published:
        left["digest"] = (
            "whether it is the published file: compare the SHA-256 below, or give the published one with --digest"
        )
    left["fields"] = (
        "fields that nothing else in the bundle gives, which its digest alone covers (docs/results-bundle.md lists them)"
    )
    return left


def _title(bundle: Path, report: Report) -> str:
    head = report.manifest
    if not head:
        return f"{bundle.name}:"
    return f"{bundle.name}: results of {head.get('campaign')}, made {head.get('made_at')}, format {head.get('format')}"


def _has_people(report: Report) -> bool:
    return not str(report.manifest.get("format")).endswith(OF_RUNS)


def _verdict(report: Report) -> str:
    return (
        "the leaderboard follows from the raw data"
        if _has_people(report)
        else "the board follows from the figures of its runs"
    )


def _checked(report: Report) -> list[str]:
    n = len(report.manifest["files"])
    files = f"{n} files have the names, sizes, rows and digests that the manifest lists, and there are no others"
    of_people = _of_people(report.counts) if _has_people(report) else []
    drawn = _drawn(report.counts[STATISTICS])
    return [files, *of_people, *_pairs(report.counts), *_combined(report), *drawn]


def _of_people(counts: Counter[str]) -> list[str]:
    # A contest of pairs alone has no rating: what was not counted is 0.
    n = defaultdict(lambda: "0", {file.removesuffix(".jsonl"): f"{count:,}" for file, count in counts.items()})
    return [
        f"{n['dialogues']} dialogues, {n['turns']} turns, {n['attempts']} requests, {n['ledger']} ledger lines: complete, unique, in agreement",
        f"{n['ratings']} ratings of {n['reviews']} reviews are on the rubric's scales and are what the last of {n['changes']} changes says; the trail's chain holds",
        *_planned(n["assignments"], counts[PLAN]),
        "which reviews count follows from the campaign's settings, disputes and vettings",
        f"{n['canaries']} fingerprints of bots fit their digests (the digest of the bundle alone shows whether both were changed)",
        *_records(counts),
        f"the leaderboard of {n['entries']} bots was recomputed: byte for byte as in the bundle",
    ]


def _records(counts: Mapping[str, int]) -> list[str]:
    """What was imported is compared with what came: nothing in the bundle says what it was made of."""
    n_imported = counts["imported.jsonl"]
    n_made = counts["records.jsonl"] - n_imported
    told = [f"{n_made:,} records were recomputed: byte for byte as in the bundle"] if n_made or not n_imported else []
    if n_imported:
        told.append(f"{n_imported:,} records came from elsewhere, and are as they were imported")
    return told


def _planned(n_assignments: str, n_drawn: int) -> list[str]:
    told = f"{n_assignments} assignments: every dialogue has its own"
    if not n_drawn:
        return [told]
    again = f"the plan of {n_drawn:,} was drawn again with its seed"
    return [f"{told}; {again}, and says of each whether it comes from there"]


def _pairs(counts: Counter[str]) -> list[str]:
    if not counts[PAIRS]:
        return []
    n_votes, n_systems = counts[PAIRS], counts[PAIR_BOARD]
    return [
        f"the board of pairs was recomputed from {n_votes:,} votes: the strengths of {n_systems} systems to four decimals"
    ]


def _combined(report: Report) -> list[str]:
    n_rows, n_runs = report.counts[COMBINED], report.counts[RUNS]
    if not n_rows:
        return []
    board, made_of = (
        (f"the combined board of {n_rows:,} teams", f"the leaderboard and the figures of {n_runs:,} runs")
        if _has_people(report)
        else (f"the board of {n_rows:,} rows", f"the figures of {n_runs:,} runs")
    )
    return [f"{board} was recomputed from {made_of}: byte for byte as in the bundle"]


def _drawn(n_figures: int) -> list[str]:
    if not n_figures:
        return []
    return [
        f"intervals, ranks in resamples and tests were drawn again with their seed: {n_figures:,} figures as in the bundle"
    ]


def check_libraries() -> None:
    """Errors: `Unreadable`, with what to do."""
    try:
        import_module("numpy")
        import_module("scipy")
    except ImportError as bad:
        raise Unreadable(
            f"--statistics needs numpy and scipy, and {bad.name} is not here: pip install numpy scipy."
        ) from bad


def as_json(bundle: Path, report: Report | None, problem: str, *, not_checked: Mapping[str, str] | None = None) -> str:
    """What programs read."""
    told: dict[str, Any] = {"bundle": bundle.name, "is_verified": False, "problem": problem or None}
    if report is not None:
        told |= {
            "is_verified": report.is_verified and not problem,
            "sha256": report.digest,
            "manifest": {
                name: report.manifest.get(name)
                for name in ("format", "product", "campaign", "names", "made_at", "trail")
            },
            "checked": dict(sorted(report.counts.items())),
            "not_checked": dict(not_checked or {}),
            "n_differences": report.n_findings + bool(problem),
            "differences": [one.as_json() for one in report.findings],
        }
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    sys.exit(main())
