"""What a request for replays says: which dialogues, against which system, and whether calls are only counted."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts.models import Person
from campaigns.models import Campaign, Entry
from dialogues.models import Dialogue
from participants.models import Team
from reading.kinds import ANY_TEXT, FLAG, ListOf, Whole
from reading.tables import Field, Table
from replays.access import MOST_CHOSEN, chosen_among, system_called
from replays.actions.asking import CannotReplay, ReplayPlan, ask_replays, plan_replays, with_lines
from replays.models import Replay

ASKED = Table(
    {
        "dialogues": Field(ListOf(ANY_TEXT), ()),
        "of": Field(ANY_TEXT, ""),
        "n": Field(Whole(1, MOST_CHOSEN), 1),
        "against": Field(ANY_TEXT),
        "only_count": Field(FLAG, False),
    },
    keeps_others=True,
)


def ids_in(texts: Any) -> list[UUID]:
    """Those of the texts that are ids."""
    found = []
    for text in texts:
        try:
            found.append(UUID(str(text)))
        except ValueError:
            continue
    return found


@dataclass(frozen=True, slots=True)
class Wanted:
    """Chosen dialogues and the system that they are put to; `team` is the one that asks."""

    campaign: Campaign
    dialogues: QuerySet[Dialogue]
    against: Entry
    team: Team | None = None

    def plan(self, at: datetime) -> ReplayPlan:
        return plan_replays(self.campaign, list(with_lines(self.dialogues)), at, team=self.team)

    def ask(self, *, by: Person, at: datetime) -> list[Replay]:
        """Errors: `CannotReplay`."""
        return ask_replays(
            campaign=self.campaign, dialogues=self.dialogues, against=self.against, by=by, at=at, team=self.team
        )


def wanted_in(
    said: Mapping[str, Any],
    campaign: Campaign,
    dialogues: QuerySet[Dialogue],
    systems: QuerySet[Entry],
    team: Team | None = None,
) -> Wanted:
    """Errors: `CannotReplay` for a system that is not among them."""
    by_id = team is not None
    against = system_called(systems, said["against"], by_id=by_id)
    named = list(said["dialogues"])
    ids = ids_in(named)
    if named and not ids:
        return Wanted(campaign, dialogues.none(), against, team)
    of = system_called(systems, said["of"], by_id=by_id) if said["of"] else against
    if by_id and of.pk != against.pk:
        raise CannotReplay("not_own")
    found = dialogues.filter(assignment__entry=against) if by_id else dialogues
    return Wanted(campaign, chosen_among(found, ids=ids, of=of, n=said["n"]), against, team)
