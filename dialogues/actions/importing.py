"""Imports finished dialogues, so that they can be reviewed without having taken place here."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_noop

from accounts.models import Person
from audit.actions import record
from campaigns.actions.ended import refuse_file_if_ended
from campaigns.actions.entering import entry_of_imported
from campaigns.campaign_file.campaign_settings import IMPORTED_SCENARIO
from campaigns.models import Assignment, Campaign, Entry, Scenario
from campaigns.origins import Origin
from dialogues.actions.ledger import write
from dialogues.dialogue_files import Exchange, FinishedDialogue, exchanges
from dialogues.events import DialogueClosed, LedgerLine, SubtaskClosed
from dialogues.masking import Masker, masker_of
from dialogues.models import Attempt, Dialogue, DialogueSubtask, Turn
from dialogues.queries import masked_words
from dialogues.trail_acts import DIALOGUES_IMPORTED
from dialogues.turn_taking import DialogueStatus, ShownReply, SubtaskStatus, TurnStatus, shown_reply
from reading.checking import Problems
from reading.findings import under

REASON = "imported"
# Where reviewers say what is finished, an imported dialogue is one part of this kind.
SUBTASK_KIND = "dialogue"
OWNER = "import"


@dataclass(frozen=True, slots=True)
class Imported:
    n_new: int
    n_known: int


@transaction.atomic
def import_dialogues(
    *, campaign: Campaign, dialogues: Sequence[FinishedDialogue], importer: Person, bot: str, team: str, at: datetime
) -> Imported:
    """Stores the dialogues that the campaign does not have yet, closed and ready for review.

    `bot` and `team` are those of dialogues that name none; `importer` stands where live dialogues have their tester.
    Errors: `BadFile` naming each dialogue that differs from the one imported under its id, names no bot or an unknown
    scenario; then nothing is stored.
    """
    # Two imports of one file come one after the other, so no dialogue is stored twice.
    campaign = Campaign.objects.select_related("rubric").held(campaign.pk)
    refuse_file_if_ended(campaign, at)
    problems = Problems()
    scenarios = _scenarios(campaign, dialogues, problems)
    entries = _entries(campaign, dialogues, bot, team, problems)
    problems.refuse()
    known = _known(campaign, [dialogue.external_id for dialogue in dialogues])
    desk = _Desk(campaign, importer, at)
    n_new = 0
    for dialogue in dialogues:
        content = _Content(entries[dialogue], scenarios[dialogue.scenario], tuple(exchanges(dialogue.said)))
        if dialogue.external_id not in known:
            desk.store(dialogue.external_id, content)
            n_new += 1
        elif known[dialogue.external_id] != content:
            problems.note(dialogue.place, gettext_noop("differs from the dialogue that was imported before"))
    problems.refuse()
    if n_new:
        record(DIALOGUES_IMPORTED, by=importer, at=at, campaign=campaign.slug, details={"n": n_new})
    return Imported(n_new, len(dialogues) - n_new)


@dataclass(frozen=True, slots=True)
class _Content:
    """What makes two dialogues of one id the same."""

    entry: Entry
    scenario: Scenario
    turns: tuple[Exchange, ...]


def _scenarios(campaign: Campaign, dialogues: Iterable[FinishedDialogue], problems: Problems) -> Mapping[str, Scenario]:
    """The campaign's scenarios by key; under "" that of dialogues which name none."""
    found = {scenario.key: scenario for scenario in campaign.scenarios.all()}
    for dialogue in dialogues:
        if dialogue.scenario and dialogue.scenario not in found:
            text = gettext_noop("this campaign has no scenario “%(name)s”")
            problems.note(under(dialogue.place, "scenario"), text, name=dialogue.scenario)
    if any(not dialogue.scenario for dialogue in dialogues):
        latest = campaign.scenarios.aggregate(latest=Max("position"))["latest"] or 0
        found[""], _ = campaign.scenarios.get_or_create(
            key=IMPORTED_SCENARIO, defaults={"position": latest + 1, "origin": Origin.IMPORT}
        )
    return found


def _entries(
    campaign: Campaign, dialogues: Iterable[FinishedDialogue], bot: str, team: str, problems: Problems
) -> Mapping[FinishedDialogue, Entry]:
    by_key = {entry.key: entry for entry in campaign.entries.select_related("bot__team")}
    by_name: dict[tuple[str, str], Entry] = {}
    found = {}
    for dialogue in dialogues:
        name, maker = dialogue.bot or bot, dialogue.team or team
        if name in by_key and maker in ("", by_key[name].bot.team.name):
            found[dialogue] = by_key[name]
        elif not name or not maker:
            problems.note(
                under(dialogue.place, "bot"), gettext_noop("names no system and team: name them for the file")
            )
        else:
            if (maker, name) not in by_name:
                by_name[maker, name] = entry_of_imported(campaign, team_name=maker, bot_name=name)
            found[dialogue] = by_name[maker, name]
    return found


def _known(campaign: Campaign, ids: Sequence[str]) -> dict[str, _Content]:
    """What was imported before under these ids, as it came: where a reply is shown masked, the attempt has the original."""
    imported = Dialogue.objects.of_campaign(campaign).filter(origin=Dialogue.Origin.IMPORTED, external_id__in=ids)
    known = {}
    for dialogue in imported.with_names().prefetch_related("turns__attempts"):
        turns = tuple(Exchange(turn.number, turn.text, _original(turn)) for turn in dialogue.turns.all())
        known[dialogue.external_id] = _Content(dialogue.assignment.entry, dialogue.assignment.scenario, turns)
    return known


def _original(turn: Turn) -> tuple[str, ...]:
    (*_, texts) = [turn.texts, *(attempt.texts for attempt in turn.attempts.all())]
    return tuple(texts)


class _Desk:
    """Stores the dialogues of one import."""

    def __init__(self, campaign: Campaign, importer: Person, at: datetime) -> None:
        self.campaign, self.importer, self.at = campaign, importer, at
        self.masker: Masker = masker_of(masked_words(campaign))
        own = Assignment.objects.filter(campaign=campaign, tester=importer)
        self.position: int = own.aggregate(latest=Max("position"))["latest"] or 0
        latest = own.values_list("entry_id", "scenario_id").annotate(latest=Max("repetition")).order_by()
        self.repetitions = {(entry, scenario): n for entry, scenario, n in latest}

    def store(self, external_id: str, content: _Content) -> None:
        dialogue = Dialogue.objects.create(
            assignment=self.assign(content),
            tester=self.importer,
            status=DialogueStatus.COMPLETED,
            reason=REASON,
            turns_used=content.turns[-1].number,
            last_seq=2 * len(content.turns),
            opened_at=self.at,
            closed_at=self.at,
            origin=Dialogue.Origin.IMPORTED,
            external_id=external_id,
        )
        self.store_turns(dialogue, content.turns)
        closed: LedgerLine = DialogueClosed(DialogueStatus.COMPLETED, REASON)
        write(dialogue, [*self.close_part(dialogue, content.turns), closed], self.at)

    def assign(self, content: _Content) -> Assignment:
        place = (content.entry.pk, content.scenario.pk)
        self.position += 1
        self.repetitions[place] = self.repetitions.get(place, 0) + 1
        return Assignment.objects.create(
            campaign=self.campaign,
            tester=self.importer,
            entry=content.entry,
            scenario=content.scenario,
            repetition=self.repetitions[place],
            position=self.position,
            is_drawn=False,
            started_at=self.at,
        )

    def store_turns(self, dialogue: Dialogue, turns: Sequence[Exchange]) -> None:
        """Every turn is answered, with two lines of the ledger as live ones have; nothing was measured."""
        shown = [shown_reply(turn.texts, self.masker, 0) for turn in turns]
        stored = Turn.objects.bulk_create(
            Turn(
                dialogue=dialogue,
                number=turn.number,
                subtask=1,
                spent=turn.number,
                turn_cap=max(1, turns[-1].number),
                key=f"imported-{turn.number}",
                text=turn.text,
                status=TurnStatus.ANSWERED,
                texts=list(reply.texts),
                flags=_flags(turn, reply),
                seq=2 * place + 1,
                outcome_seq=2 * place + 2,
                asked_at=self.at,
                settled_at=self.at,
                owner=OWNER,
            )
            for place, (turn, reply) in enumerate(zip(turns, shown, strict=True))
        )
        Attempt.objects.bulk_create(
            Attempt(turn=row, number=1, outcome=Attempt.Outcome.REPLY, texts=list(turn.texts), ended_at=self.at)
            for row, turn, reply in zip(stored, turns, shown, strict=True)
            if reply.texts != turn.texts
        )

    def close_part(self, dialogue: Dialogue, turns: Sequence[Exchange]) -> list[LedgerLine]:
        if not self.campaign.rubric.asks_for_verdicts:
            return []
        n_turns = turns[-1].number
        DialogueSubtask.objects.create(
            dialogue=dialogue,
            index=1,
            kind=SUBTASK_KIND,
            turn_cap=max(1, n_turns),
            turns_used=n_turns,
            answered_turns=n_turns,
            status=SubtaskStatus.FINISHED,
        )
        return [SubtaskClosed(1, SubtaskStatus.FINISHED)]


def _flags(turn: Exchange, reply: ShownReply) -> list[str]:
    """A turn that the bot left unanswered in the file is no empty reply."""
    return [flag for flag in reply.flags if turn.texts or flag != "empty"]
