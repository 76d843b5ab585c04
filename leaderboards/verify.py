"""python -m leaderboards.verify BUNDLE.zip: whether a results bundle is what it says, without any database. Free of Django.

Prints what was checked and exits with 0, or names what differs and exits with 1.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from leaderboards.verification import two_processes
from leaderboards.verification.bundle_format import COMBINED, OF_RUNS, PLAN, RUNS, STATISTICS
from leaderboards.verification.findings import Unreadable
from leaderboards.verification.verifying import Report, verify

FAILED = 1


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
    parser = argparse.ArgumentParser(prog="python -m leaderboards.verify", description=__doc__)
    add_arguments(parser)
    options = parser.parse_args(arguments)
    return run(options.bundle, digest=options.digest, format=options.format, draws=options.statistics, out=sys.stdout)


def run(bundle: Path, *, digest: str, format: str, out: Output, draws: bool = False) -> int:
    """Verifies the bundle and tells it; gives the exit code. `draws` says whether its statistics are drawn again."""
    try:
        if draws:
            check_libraries()
        report = verify(bundle, n_processes=2 if two_processes.are_of_use() else 1, draws=draws)
    except Unreadable as bad:
        out.write(as_json(bundle, None, str(bad)) if format == "json" else f"{bad}\nNot verified.\n")
        return FAILED
    wrong = _wrong_digest(report, digest)
    if format == "json":
        out.write(as_json(bundle, report, wrong))
    else:
        out.write("".join(f"{line}\n" for line in sentences(bundle, report, wrong, draws=draws)))
    return FAILED if wrong or not report.is_verified else 0


def _wrong_digest(report: Report, published: str) -> str:
    if not published or published.strip().lower() == report.digest:
        return ""
    return f"The digest of the bundle is {report.digest}, not the published {published.strip()}: it is another file."


def sentences(bundle: Path, report: Report, wrong: str, *, draws: bool = False) -> list[str]:
    """What people read."""
    told = [_title(bundle, report), *(f"  differs: {one}" for one in report.findings)]
    if wrong:
        told.append(f"  differs: {wrong}")
    if wrong or not report.is_verified:
        n = report.n_findings + bool(wrong)
        told.append(f"NOT VERIFIED: {n} {'difference' if n == 1 else 'differences'}.")
    else:
        told += [*(f"  checked: {one}" for one in _checked(report)), f"VERIFIED: {_verdict(report)}."]
    return [*told, f"SHA-256 of the bundle: {report.digest}", *_advice(wrong, report, draws=draws)]


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
    return [files, *of_people, *_combined(report), *_drawn(report.counts[STATISTICS])]


def _of_people(counts: Counter[str]) -> list[str]:
    n = {file.removesuffix(".jsonl"): f"{count:,}" for file, count in counts.items()}
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
        return [f"{told}; the bundle tells no seed, so no plan was drawn again"]
    again = f"the plan of {n_drawn:,} was drawn again with its seed"
    return [f"{told}; {again}, and says of each whether it comes from there"]


def _combined(report: Report) -> list[str]:
    n_rows, n_runs = report.counts[COMBINED], report.counts[RUNS]
    if not n_rows:
        return []
    board, made_of = (
        (f"the combined board of {n_rows:,} teams", f"the leaderboard and the figures of {n_runs:,} runs")
        if _has_people(report)
        else (f"the board of {n_rows:,} rows", f"the figures of {n_runs:,} runs")
    )
    return [
        f"{board} was recomputed from {made_of}: "
        "byte for byte as in the bundle (how the runs were scored cannot be checked: what they were scored against is in no bundle)"
    ]


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


def _advice(wrong: str, report: Report, *, draws: bool) -> list[str]:
    if wrong or not report.is_verified:
        return []
    advice = (
        "Compare it with the digest on the page where the leaderboard was published, or give that one with --digest."
    )
    return [advice, *_not_drawn(report, draws=draws)]


def _not_drawn(report: Report, *, draws: bool) -> list[str]:
    """Which intervals and tests were not drawn again, and why."""
    told = []
    if report.counts[COMBINED]:
        told.append(
            "The intervals of a board with runs cannot be drawn again: that takes each run's sums per item. Beside the run they tell the gold, "
            "so no bundle holds them."
        )
    if report.counts[STATISTICS] or not _has_people(report):
        return told
    if draws:
        return [*told, "The bundle holds no statistics: no intervals or tests were drawn again."]
    people = " of the leaderboard" if told else ""
    return [
        *told,
        f"Intervals and tests{people} were not drawn again: --statistics does that, with numpy and scipy.",
    ]


def as_json(bundle: Path, report: Report | None, problem: str) -> str:
    """What programs read."""
    told: dict[str, Any] = {"bundle": bundle.name, "is_verified": False, "problem": problem or None}
    if report is not None:
        told |= {
            "is_verified": report.is_verified and not problem,
            "sha256": report.digest,
            "manifest": {
                name: report.manifest.get(name) for name in ("format", "product", "campaign", "names", "made_at")
            },
            "checked": dict(sorted(report.counts.items())),
            "n_differences": report.n_findings + bool(problem),
            "differences": [one.as_json() for one in report.findings],
        }
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    sys.exit(main())
