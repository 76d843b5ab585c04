"""Verifies a bundle: its files against the manifest, its rows against each other, its figures against what they are made of. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verification.archive import Archive, digest_of
from verification.boards import recomputed_board
from verification.bundle_format import (
    ASSIGNMENTS,
    CAMPAIGN,
    COMBINED,
    LEADERBOARD,
    MANIFEST,
    PAIRS,
    PLAN,
    RECORDS,
    STATISTICS,
)
from verification.combined import NOBODY, verify_combined
from verification.comparing import Identity, RecordLines, compare_board, compare_statistics, drawn_again, identity_of
from verification.findings import BAD_VALUES, Culprit, Findings, shown
from verification.manifests import check_canaries, check_head, check_listing, is_known, manifest_of
from verification.pairs import Said, verify_pairs
from verification.plans import Assignments
from verification.possible_settings import check_settings
from verification.recomputing import Charging, Recomputing
from verification.scores import Rubric, Scores
from verification.tables import Object, Table, beginning_of, lines_of, parsed
from verification.talks import ATTEMPTS, DIALOGUES, LEDGER, TURNS, Talk, check_opening

TALK_FILES = (TURNS, ATTEMPTS, LEDGER)
SCORE_FILES = ("reviews.jsonl", "ratings.jsonl", "changes.jsonl", "disputes.jsonl", "vettings.jsonl")


@dataclass(slots=True)
class Report:
    """What was checked and what was found. `counts` are how many of each were compared."""

    digest: str
    manifest: Object = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    findings: list[Culprit] = field(default_factory=list)
    n_findings: int = 0

    @property
    def is_verified(self) -> bool:
        return not self.findings


def verify(path: Path, *, draws: bool = False) -> Report:
    """The report of the bundle; with `draws` its statistics are drawn again. Errors: `Unreadable` where it cannot be read at all,
    `ImportError` where it is to draw and the libraries are missing.
    """
    report = Report(digest_of(path))
    of_files, of_contents = Findings(), Findings()
    with closing(Archive(path)) as archive:
        archive.check_names(of_files)
        if not any(name not in archive.names for name in (*archive.files, MANIFEST)):
            report.manifest = manifest_of(archive, of_files)
            if is_known(archive, report.manifest):
                if archive.has_people:
                    _Verifying(archive, report.manifest, report.counts, of_contents, draws=draws).verify()
                else:
                    _verify_runs(archive, report, of_contents)
                check_listing(archive, report.manifest, of_files)
    report.findings = [*of_files, *of_contents]
    report.n_findings = len(of_files) + len(of_contents)
    return report


def _verify_runs(archive: Archive, report: Report, findings: Findings) -> None:
    """A board without people's figures: its two files are all that there is."""
    try:
        verify_combined(archive, {**NOBODY, "campaign": report.manifest["campaign"]}, report.counts, findings)
    except BAD_VALUES as bad:
        findings.note(COMBINED, _odd(bad))
    _read_what_is_left(archive)


def _odd(bad: Exception) -> str:
    return f"what it says does not fit the format of bundles ({type(bad).__name__}: {shown(str(bad))})"


def _read_what_is_left(archive: Archive) -> None:
    for name in archive.files:
        if not (name in archive.seen and archive.seen[name].digest):
            archive.read_to_its_end(name)


class _Verifying:
    """One pass over all rows; of each file only those of one dialogue are held, but for the assignments (`plans.Assignments`) and the
    names of dialogues.
    """

    def __init__(
        self,
        archive: Archive,
        manifest: Object,
        counts: Counter[str],
        findings: Findings,
        *,
        draws: bool,
    ) -> None:
        self._archive = archive
        self._is_former = bool(archive.former_columns)
        self._manifest = manifest
        self._counts = counts
        self._findings = findings
        self._draws = draws
        # Of each dialogue, where votes on pairs are to be checked.
        self._said: dict[str, Said] = {}
        self._reviewers: set[str] = set()

    def verify(self) -> None:
        # Read even if the rest fails: their digests are needed.
        documents = {name: self._archive.document(name) for name in (CAMPAIGN, LEADERBOARD)}
        try:
            campaign = parsed(documents[CAMPAIGN])
            self._verify_rows(campaign, documents[LEADERBOARD])
        except BAD_VALUES as bad:
            self._findings.note(self._at, _odd(bad))
        _read_what_is_left(self._archive)

    _at = CAMPAIGN

    def _verify_rows(self, campaign: Object, board: bytes) -> None:
        self._campaign, self._rubric, self._settings = campaign, Rubric(campaign), campaign["settings"]
        check_settings(self._settings, self._findings)
        self._charging = Charging(self._settings)
        self._at = "entries.jsonl"
        self._entries = self._unique("entries.jsonl", "bot")
        check_head(self._manifest, campaign, self._entries.values(), self._findings)
        self._counts["canaries"] = check_canaries(self._entries.values(), self._findings)
        self._at = "scenarios.jsonl"
        self._scenarios = self._unique("scenarios.jsonl", "scenario")
        self._recomputing = Recomputing(campaign, self._entries, by_cell=self._draws, has_weights=not self._is_former)
        self._at = ASSIGNMENTS
        rows = lines_of(self._archive, ASSIGNMENTS, self._findings)
        self._assignments = Assignments(rows, self._entries, self._scenarios, self._findings)
        self._at = DIALOGUES
        self._order = self._order_of_dialogues()
        self._talks, self._tables = (
            {file: Table(self._archive, file, self._order, self._findings) for file in files}
            for files in (TALK_FILES, SCORE_FILES)
        )
        self._records = RecordLines(self._archive.lines(RECORDS), self._findings)
        self._verify_dialogues()
        self._at = "imported.jsonl"
        self._verify_imported()
        self._records.check_end()
        self._at = CAMPAIGN
        self._check_programs()
        self._assignments.check_end()
        self._at = PLAN
        self._counts[PLAN] = self._assignments.check_plan(campaign, self._archive.document(PLAN))
        self._at = LEADERBOARD
        recomputed = recomputed_board(
            campaign, self._entries.values(), self._recomputing.sums, self._recomputing.reasons()
        )
        compare_board(board, recomputed, self._findings)
        if COMBINED in self._archive.files:
            self._at = COMBINED
            verify_combined(self._archive, recomputed, self._counts, self._findings)
        if PAIRS in self._archive.files:
            self._at = PAIRS
            self._counts += verify_pairs(
                self._archive,
                campaign["campaign"],
                self._entries,
                self._scenarios,
                self._said,
                self._findings,
                draws=self._draws,
            )
        self._at = STATISTICS
        if self._recomputing.cells is not None:
            drawn = drawn_again(campaign, self._recomputing.cells)
            self._counts[STATISTICS] = compare_statistics(self._archive.document(STATISTICS), drawn, self._findings)
        self._count()

    def _unique(self, file: str, key: str) -> dict[str, Object]:
        rows: dict[str, Object] = {}
        for line, row in lines_of(self._archive, file, self._findings):
            if row[key] in rows:
                self._findings.note(file, f"{shown(row[key])} appears twice", line=line)
            rows.setdefault(row[key], row)
        return rows

    def _order_of_dialogues(self) -> dict[str, int]:
        """The places of all dialogues, so that a row of none is told from one that stands elsewhere."""
        order: dict[str, int] = {}
        has_pairs = PAIRS in self._archive.files
        for line, row in lines_of(self._archive, DIALOGUES, self._findings):
            if has_pairs:
                self._said[row["dialogue"]] = Said(row["bot"], row["scenario"], row["status"])
            if row["dialogue"] in order:
                self._findings.note(DIALOGUES, f"dialogue {shown(row['dialogue'])} appears twice", line=line)
            order.setdefault(row["dialogue"], len(order))
        return order

    def _verify_dialogues(self) -> None:
        done: set[str] = set()
        # What is wrong with the lines was noted when their order was read.
        for line, dialogue in lines_of(self._archive, DIALOGUES, Findings()):
            name = dialogue["dialogue"]
            if name in done:
                continue
            done.add(name)
            beginning = beginning_of(dialogue)
            self._assignments.check_dialogue(dialogue)
            scored = [table.of(name, beginning) for table in self._tables.values()]
            try:
                told = [table.of(name, beginning) for table in self._talks.values()]
                if name in self._said:
                    for _line, turn in told[TALK_FILES.index(TURNS)]:
                        self._said[name].add(turn["reply"])
                talk = Talk(line, dialogue, *told)
                talk.check(self._charging.policy, self._charging.opened_by, self._findings)
                self._verify_scores(line, self._charging.turns_of(talk), Scores(dialogue, *scored))
            except BAD_VALUES as bad:
                text = f"the rows of dialogue {shown(name)} do not fit the format of bundles ({type(bad).__name__}: {shown(str(bad))})"
                self._findings.note(DIALOGUES, text, line=line)
        for table in (*self._tables.values(), *self._talks.values()):
            table.check_end()
            self._counts[table.file] = table.n_rows
        self._counts[DIALOGUES] = len(self._order)

    def _verify_scores(self, line: int, turns: Sequence[int], scores: Scores) -> None:
        dialogue = scores.dialogue
        if dialogue["bot"] not in self._entries or dialogue["scenario"] not in self._scenarios:
            text = f"dialogue {scores.name} is with a bot or about a scenario that the bundle does not have"
            self._findings.note(DIALOGUES, text, line=line)
            return
        scenario = self._scenarios[dialogue["scenario"]]
        check_opening(line, dialogue, scenario, self._campaign, self._charging.policy, self._findings)
        scores.check(self._rubric, self._settings, self._findings, decides_early=self._is_former)
        at = self._order[dialogue["dialogue"]]
        self._reviewers |= {review["reviewer"] for _, review in scores.reviews}
        following = {review["reviewer"] for _, review in scores.reviews if review["is_counted"]}
        for record in self._recomputing.records_of(turns, scores):
            following.discard(record["reviewer"])
            self._records.compare(record, lambda one: self._is_behind(one, at, following))

    def _check_programs(self) -> None:
        """Programs that are named score here, each once, and count only where the campaign says so."""
        programs = self._campaign.get("program_reviewers", [])
        if programs and self._settings.get("judges") != "count":
            self._findings.note(CAMPAIGN, "programs score, though judges stand apart", figure="program_reviewers")
        if programs != sorted(set(programs) & self._reviewers):
            text = "the reviewers that are programs are not each named once, in order, among those of reviews.jsonl"
            self._findings.note(CAMPAIGN, text, figure="program_reviewers")

    def _is_behind(self, record: Mapping[str, Any], at: int, following: set[str]) -> bool:
        place = self._order.get(shown(record.get("dialogue")))
        return place is not None and (place < at or (place == at and record.get("reviewer") not in following))

    def _verify_imported(self) -> None:
        seen: set[Identity] = set()
        for line, row in lines_of(self._archive, "imported.jsonl", self._findings):
            identity = identity_of(row["record"])
            if row["bot"] not in self._entries:
                text = f"is of the bot {shown(row['bot'])}, which the bundle does not have"
                self._findings.note("imported.jsonl", text, line=line)
            elif identity in seen:
                text = f"the record of {shown(row['record']['reviewer'])} on {shown(row['record']['scenario'])} appears twice"
                self._findings.note("imported.jsonl", text, line=line)
            else:
                self._counts["imported.jsonl"] += 1
                self._recomputing.add_imported(row["bot"], row["record"])
                self._records.compare(row["record"], lambda one: identity_of(one) in seen)
            seen.add(identity)
        self._recomputing.weigh_imported()

    def _count(self) -> None:
        self._counts[RECORDS] = self._records.n_equal
        self._counts["entries.jsonl"] = len(self._entries)
        self._counts[ASSIGNMENTS] = len(self._assignments)
