"""The rows of a bundle's files: those of the exports, under the names that the bundle uses."""

import hmac
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings

from accounts.models import Person
from campaigns.models import Campaign, Entry, Scenario
from conformance.actions.fingerprints import change_of, reference_of
from conformance.models import Fingerprint, samples_of
from dialogues.models import Dialogue
from leaderboards.exports import EXPORTS
from leaderboards.exports.parts import IN_ORDER, PLACE, iso, parts, places_of
from leaderboards.exports.records import imported_lines, live_lines
from leaderboards.exports.requests import ATTEMPT, attempts_in_dialogues
from leaderboards.table_files.text_files import ROWS_PER_PIECE, Block, blocks_of
from pairs.board.rows import judges_in
from publication.bundle.names import SCENARIO, Names
from reading.json_texts import json_rows
from reviews.models import Dispute, Review, Vetting
from reviews.trail import covered, digest_of
from verification.bundle_format import COLUMNS, as_line, digest_of_canary, line_of_trail


def canary_of(entry: Entry, names: Names) -> dict[str, Any] | None:
    """None for a bot that nobody asked. `is_changed` says whether its latest answers are others than those."""
    reference = reference_of(entry)
    if reference is None:
        return None
    told = {
        "protocol": reference.protocol,
        "version": names.text(_version(reference)),
        "taken_at": iso(reference.taken_at),
        "answers": [_hashed(samples, names) for samples in samples_of(reference.answers)],
        "is_changed": change_of(entry) is not None,
    }
    return told | {"sha256": digest_of_canary(names.bot(entry.key).key, told)}


def _version(reference: Fingerprint) -> str:
    """What the server calls itself; nothing where that tells its address."""
    host = urlsplit(reference.url).hostname or ""
    return "" if host and host in reference.version.casefold() else reference.version


def _hashed(samples: Sequence[str], names: Names) -> str:
    """A hash of the answers to one question, which people who can ask the bot can compare; under an alias that would name the bot."""
    text = json.dumps(list(samples), ensure_ascii=False).encode()
    if names.hides_teams:
        return hmac.new(f"canary answers {settings.SECRET_KEY}".encode(), text, sha256).hexdigest()
    return sha256(text).hexdigest()


Object = dict[str, Any]
Objects = Iterator[Object]
Show = Callable[[Any], Any]

PEOPLE = {"tester", "reviewer", "changed_by", "expert", "settled_by"}
# What the platform itself says: ids, numbers, times, states, and the words of the rubric.
OURS = {
    "dialogue", "repetition", "status", "turns_used", "subtasks", "opened_at", "closed_at", "origin", "turn_cap", "turn",
    "subtask", "flags", "attempts", "latency_ms", "asked_at", "settled_at", "attempt", "request", "outcome", "has_left",
    "is_current", "kind", "fault", "ended_at", "seq", "at", "verdicts", "version", "submitted_at", "part", "is_counted",
    "tester_kind", "criterion", "score", "place", "label", "evidence_turn", "digest", "criteria", "is_accepted",
}  # fmt: skip
# The same inside of a line of the ledger, and of a review as the trail holds it.
OURS_WITHIN = {"type", "kind", "status", "reason", "flags", "fault", "ratings", "evidence", "verdicts"}
# Elsewhere a reason is what somebody wrote.
OURS_IN = {"dialogues.jsonl": {"reason"}}
WITHIN = {"frame", "before", "after"}


def people_in(campaign: Campaign) -> set[str]:
    """The usernames of all whom a row of the bundle may name; a reviewer of imported records stands under `imported`."""
    dialogues = Dialogue.objects.of_campaign(campaign)
    told = (
        campaign.roles.testers().values_list("person__username"),
        campaign.assignments.values_list("tester__username"),
        dialogues.values_list("tester__username"),
        Review.objects.filter(dialogue__in=dialogues).of_those_who_count(campaign).values_list("reviewer__username"),
        Vetting.objects.filter(dialogue__in=dialogues).values_list("expert__username"),
    )
    first, *others = (named.order_by() for named in told)
    people = {username for (username,) in first.union(*others)}
    imported = campaign.imported_records.order_by().values_list("reviewer", flat=True).distinct()
    return people | set(map(_imported, imported)) | judges_in(campaign)


def _imported(reviewer: str) -> str:
    return f"imported {reviewer}"


def texts_of(file: str, campaign: Campaign, names: Names) -> Iterator[tuple[str, int]]:
    """The lines of one of the files in `COLUMNS`, in a fixed order: many as one text, and how many they are."""
    if own := OWN_ROWS.get(file):
        yield from texts_of_rows(own(campaign, names))
        return
    for block in shown_blocks(file, campaign, names):
        yield json_rows(COLUMNS[file], block), len(block[0])


def texts_of_rows(rows: Iterable[Object]) -> Iterator[tuple[str, int]]:
    """The lines of rows that are made one by one."""
    lines = map(as_line, rows)
    while some := list(islice(lines, ROWS_PER_PIECE)):
        yield "".join(some), len(some)


def shown_blocks(file: str, campaign: Campaign, names: Names) -> Iterator[Block]:
    """The rows of an exported file under the names of the bundle.

    Columns come one after the other.
    """
    what = file.removesuffix(".jsonl")
    blocks = blocks_of(MORE_ROWS[what](campaign)) if what in MORE_ROWS else EXPORTS[what].blocks(campaign)
    exported = list(MORE_COLUMNS.get(what) or EXPORTS[what].columns(campaign))
    wanted = [(exported.index(name), _shower(file, name, names)) for name in COLUMNS[file]]
    left_out = programs_left_out(campaign) if "reviewer" in COLUMNS[file] else frozenset()
    for block in _without(blocks, exported.index("reviewer"), left_out) if left_out else blocks:
        yield [block[place] if show is None else _shown(block[place], show) for place, show in wanted]


def programs_left_out(campaign: Campaign) -> frozenset[str]:
    """The programs whose scores stand apart: no bundle holds them, so that a verification counts what the board does."""
    if campaign.programs_count:
        return frozenset()
    reviews = Review.objects.filter(dialogue__in=Dialogue.objects.of_campaign(campaign))
    of_programs = reviews.filter(reviewer__kind=Person.Kind.PROGRAM)
    return frozenset(of_programs.order_by().values_list("reviewer__username", flat=True).distinct())


def _without(blocks: Iterable[Block], column: int, left_out: frozenset[str]) -> Iterator[Block]:
    """The blocks without the rows whose column says one of those; none that is empty."""
    for block in blocks:
        kept = [place for place, name in enumerate(block[column]) if name not in left_out]
        if kept:
            yield [[values[place] for place in kept] for values in block]


def _shown(values: Sequence[Any], show: Show) -> list[Any]:
    """Each value as it is shown; a repeated text is looked at once."""
    if set(map(type, values)) != {str}:
        return list(map(show, values))
    # In the order of their first appearance, by which people are numbered.
    known = {value: show(value) for value in dict.fromkeys(values)}
    return [known[value] for value in values]


def _shower(file: str, column: str, names: Names) -> Show | None:
    """How the values of a column are shown; None: as they are."""
    if column in PEOPLE:
        return lambda username: username and names.person(username)
    if column == "bot":
        return lambda key: names.bot(key).key
    if column == "scenario":
        return lambda key: names.identifier(SCENARIO, key)
    if column in OURS or column in OURS_IN.get(file, ()) or not names.hides_teams:
        return None
    if column in WITHIN:
        return lambda value: (
            value and {name: one if name in OURS_WITHIN else names.text(one) for name, one in value.items()}
        )
    return names.text


def entries(campaign: Campaign, names: Names) -> Objects:
    """Sorted by what they are called here: any other order could tell who entered first."""
    found = campaign.entries.select_related("bot__team")
    for entry in sorted(found, key=lambda one: names.bot(one.key).key):
        bot = names.bot(entry.key)
        told = {"bot": bot.key, "team": bot.team, "name": bot.name, "is_declared": entry.is_declared}
        yield told | {"fingerprint": fingerprint(campaign, entry, names), "canary": canary_of(entry, names)}


def fingerprint(campaign: Campaign, entry: Entry, names: Names) -> str:
    """Shows whether a bot was reached the same way in two bundles, but only to holders of the platform's key.

    A plain digest would confirm a guessed address. Under an alias it differs by campaign.
    """
    told = [entry.protocol, entry.url, entry.options, *([campaign.slug, entry.alias] if names.hides_teams else [])]
    text = json.dumps(told, sort_keys=True)
    return hmac.new(f"bot fingerprint {settings.SECRET_KEY}".encode(), text.encode(), sha256).hexdigest()


def scenarios(campaign: Campaign, names: Names) -> Objects:
    for scenario in campaign.scenarios.prefetch_related("subtasks"):
        key = names.identifier(SCENARIO, scenario.key)
        yield {"scenario": key, "position": scenario.position, **_told_to_testers(scenario, names)}


def _told_to_testers(scenario: Scenario, names: Names) -> Object:
    texts = {
        "title": {"zh": scenario.title_zh, "en": scenario.title_en},
        "opening": scenario.opening,
        "opening_en": scenario.opening_en,
        "instructions": {"zh": scenario.instructions_zh, "en": scenario.instructions_en},
        "facts": scenario.facts,
        "skill": scenario.skill,
        "items": scenario.items,
        "context": scenario.context,
    }
    subtasks = [{"kind": one.kind, "turn_cap": one.turn_cap} for one in scenario.subtasks.all()]
    return {name: names.text(text) for name, text in texts.items()} | {"subtasks": subtasks}


def changes(campaign: Campaign, names: Names) -> Objects:
    """The trail of scores, each digest recomputed over what stands here.

    A stored digest covers the ids of accounts, and what masks a text would let it be guessed. Where the stored chain is
    broken, its digest stays, so that the bundle's chain breaks at the same line.
    """
    columns, review, previous, digest = list(EXPORTS["changes"].columns(campaign)), None, "", ""
    shown = [(name, columns.index(name), _shower("changes.jsonl", name, names)) for name in COLUMNS["changes.jsonl"]]
    left_out = programs_left_out(campaign)
    for row in EXPORTS["changes"].rows(campaign):
        stored = dict(zip(columns, row, strict=True))
        if stored["reviewer"] in left_out:
            continue
        if stored["review"] != review:
            review, previous, digest = stored["review"], "", ""
        change = {name: row[place] if show is None else show(row[place]) for name, place, show in shown}
        holds = digest_of(_stored_line(stored), previous) == stored["digest"]
        previous = stored["digest"]
        digest = digest_of(line_of_trail(change), digest) if holds else previous
        yield change | {"digest": digest}


def _stored_line(change: Object) -> Object:
    """A stored change as its digest covers it."""
    return covered(change | {"changed_by": change["changed_by_id"]})


def imported(campaign: Campaign, names: Names) -> Objects:
    for entry, content in imported_lines(campaign):
        yield {"bot": names.bot(entry).key, "record": imported_line(entry, content, names)}


def imported_line(entry: str, content: Object, names: Names) -> Object:
    """An imported line with a number for its reviewer; with aliases those for team and bot, and nothing that Huace does not read."""
    numbered = dict(content) | {"reviewer": names.person(_imported(content["reviewer"]))}
    if not names.hides_teams:
        return numbered
    alias = names.bot(entry).key
    shown: Object = {
        name: names.identifier(f"masked-{name}", numbered[name]) for name in IDENTITY if name in numbered
    } | {name: names.text(numbered[name]) for name in MEASURED if name in numbered}
    ratings = {key: score for key, score in content.get("ratings", {}).items() if not isinstance(score, str)}
    return shown | {"team": alias, "bot": alias, "ratings": ratings}


IDENTITY = ("scenario", "dialogue")
MEASURED = ("reviewer", "subtasks", "dialogue_cap", "weight")


def records(campaign: Campaign, names: Names) -> Objects:
    """What the figures are means of: one line per review that counts, then the imported ones."""
    for entry, line in live_lines(campaign):
        bot = names.bot(entry)
        yield line | {
            "team": bot.team or bot.key,
            "bot": bot.name,
            "scenario": names.identifier(SCENARIO, line["scenario"]),
            "reviewer": names.person(line["reviewer"]),
        }
    for entry, content in imported_lines(campaign):
        yield imported_line(entry, content, names)


def _disputes(campaign: Campaign) -> Iterator[Sequence[Any]]:
    for part in parts(campaign):
        places = places_of(part)
        found = Dispute.objects.filter(dialogue__in=list(places)).select_related("settled_by__reviewer")
        for one in found.order_by(*IN_ORDER):
            settled_by = one.settled_by and one.settled_by.reviewer.username
            yield (*places[one.dialogue_id], one.criteria, iso(one.opened_at), iso(one.settled_at), settled_by)


def _vettings(campaign: Campaign) -> Iterator[Sequence[Any]]:
    for part in parts(campaign):
        places = places_of(part)
        found = Vetting.objects.filter(dialogue__in=list(places)).select_related("expert")
        for one in found.order_by(*IN_ORDER, "at", "pk"):
            yield (*places[one.dialogue_id], one.expert.username, one.is_accepted, one.reason, iso(one.at))


# Requests of replays are no part of a contest.
MORE_ROWS = {"attempts": attempts_in_dialogues, "disputes": _disputes, "vettings": _vettings}
MORE_COLUMNS = {
    "attempts": (*PLACE, *ATTEMPT),
    "disputes": (*PLACE, "criteria", "opened_at", "settled_at", "settled_by"),
    "vettings": (*PLACE, "expert", "is_accepted", "reason", "at"),
}
OWN_ROWS: Mapping[str, Callable[[Campaign, Names], Objects]] = {
    "entries.jsonl": entries,
    "scenarios.jsonl": scenarios,
    "changes.jsonl": changes,
    "imported.jsonl": imported,
    "records.jsonl": records,
}
