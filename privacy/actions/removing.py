"""Deletes a campaign with everything that hangs on it: a list first, then all of it in one transaction.

What belongs to the campaign follows from the models: each row whose foreign key leads to it, by whatever way. People, rubrics and
the trail stay; teams, bots and stored files go where nothing else needs them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from graphlib import TopologicalSorter
from typing import Any

from django.apps import apps
from django.db import models, transaction
from django.utils.translation import gettext_lazy, gettext_noop

from accounts.models import Person
from audit.actions import record
from automatic_tasks.models import AutomaticTask, Run, ServicePlan, StoredFile
from campaigns.models import Campaign, KnownTeam
from dialogues.models import Dialogue
from dialogues.pictures import remove_all
from participants.models import Bot, Team
from privacy.trail_acts import CAMPAIGN_DELETED
from publication.bundles import name_of
from publication.models import Publication, Snapshot
from serving.refused import Refused
from serving.stored_files import remove_files, stored_files


class CannotRemove(Refused):
    """Something must be done first, or the name is another; the sentence says which."""

    code = "cannot_remove"


@dataclass(frozen=True, slots=True)
class Belongings:
    """What deleting a campaign removes: rows by the name of their model, files of bundles, and people who are in no other campaign."""

    rows: dict[str, int]
    bundles: tuple[str, ...]
    people_left: int

    @property
    def n_rows(self) -> int:
        return sum(self.rows.values())


Model = type[models.Model]


def ways_to_campaign() -> dict[Model, list[str]]:
    """By model: the paths over foreign keys that lead from its rows to the campaign they belong to."""
    ways: dict[Model, list[str]] = {Campaign: ["pk"]}
    waiting: list[Model] = [Campaign]
    while waiting:
        owner = waiting.pop(0)
        for model, field in _owned_by(owner):
            found = [field if way == "pk" else f"{field}__{way}" for way in ways[owner]]
            known = ways.setdefault(model, [])
            if fresh := [way for way in found if way not in known]:
                known += fresh
                waiting.append(model)
    return ways


def _owned_by(owner: Model) -> Iterator[tuple[Model, str]]:
    """The models whose rows go with a row of that one, and the foreign key that says so."""
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.concrete_fields:
            leads_there = isinstance(field, models.ForeignKey) and field.related_model is owner and model is not owner
            if leads_there and getattr(field.remote_field, "on_delete", None) in (models.CASCADE, models.PROTECT):
                yield model, field.name


def rows_of(campaign: Campaign, model: Model, ways: list[str]) -> models.QuerySet[Any]:
    belongs = models.Q()
    for way in ways:
        belongs |= models.Q(**{way: campaign.pk})
    # Practice is left out by other managers.
    return model._base_manager.filter(pk__in=model._base_manager.filter(belongs).values("pk"))


def in_order_of_removal(ways: dict[Model, list[str]]) -> list[Model]:
    """Those that point to others come before these, also by a key that may be empty: the rows go without their keys being emptied."""
    order: TopologicalSorter[Model] = TopologicalSorter({model: set() for model in ways})
    for model in ways:
        for field in model._meta.concrete_fields:
            owner = field.related_model if isinstance(field, models.ForeignKey) else None
            if owner in ways and owner is not model:
                order.add(owner, model)
    return list(order.static_order())


def preview_deletion(*, campaign: Campaign) -> Belongings:
    """What `delete_campaign` would remove now; it changes nothing."""
    counted = {
        model._meta.label: n
        for model, ways in ways_to_campaign().items()
        if (n := rows_of(campaign, model, ways).count())
    }
    here = campaign.roles.values("person")
    elsewhere = Person.objects.filter(
        pk__in=here, campaign_roles__campaign__in=Campaign.objects.exclude(pk=campaign.pk)
    )
    people_left = Person.objects.filter(pk__in=here, is_staff=False).exclude(pk__in=elsewhere).count()
    return Belongings(counted, tuple(_bundles_of(campaign)), people_left)


def _bundles_of(campaign: Campaign) -> list[str]:
    """The digests of bundles that no snapshot of another campaign shares."""
    own = set(
        Snapshot.objects.filter(campaign=campaign).exclude(bundle_digest="").values_list("bundle_digest", flat=True)
    )
    others = Snapshot.objects.exclude(campaign=campaign).filter(bundle_digest__in=own)
    return sorted(own - set(others.values_list("bundle_digest", flat=True)))


def check_may_delete(campaign: Campaign) -> None:
    """Errors: `CannotRemove` while anything of it is published: what is cited does not vanish by the way."""
    if Publication.objects.filter(snapshot__campaign=campaign).standing().exists():
        raise CannotRemove(gettext_noop("A leaderboard of this campaign is published. Withdraw it first."))


def delete_campaign(*, campaign: Campaign, typed: str, by: Person | None, at: datetime) -> Belongings:
    """Deletes the campaign; gives what went. `typed` is its short name, as the person typed it. Errors: `CannotRemove`."""
    if typed.strip() != campaign.slug:
        raise CannotRemove(gettext_noop("Type the campaign's short name, %(slug)s, to delete it."), slug=campaign.slug)
    if away := stored_files().refusal():
        text = gettext_noop(
            "The storage, where the bundles of its boards stand, %(away)s: delete the campaign once they can go with it."
        )
        raise CannotRemove(text, away=gettext_lazy(away))
    with transaction.atomic():
        campaign = Campaign.objects.select_for_update().get(pk=campaign.pk)
        check_may_delete(campaign)
        gone = preview_deletion(campaign=campaign)
        dialogues = list(Dialogue.everything.of_campaign(campaign).values_list("pk", flat=True))
        teams = set(KnownTeam.objects.filter(campaign=campaign).values_list("team", flat=True))
        teams |= set(Bot.objects.filter(entries__campaign=campaign).values_list("team", flat=True))
        ways = ways_to_campaign()
        for model in in_order_of_removal(ways):
            # Snapshots and publications refuse a delete of their own: they go with their campaign alone.
            rows_of(campaign, model, ways[model])._raw_delete("default")
        _drop_teams(teams)
        _drop_files()
        details = {"rows": gone.n_rows, "bundles": list(gone.bundles)}
        record(CAMPAIGN_DELETED, by=by, at=at, campaign=campaign.slug, about=campaign.slug, details=details)
    # After the commit: a file that outlives its rows is litter, rows without their file are a fault.
    remove_files(map(name_of, gone.bundles))
    remove_all(dialogues)
    return gone


def _drop_teams(teams: set[int]) -> None:
    """Teams and bots that no campaign has any more."""
    Bot.objects.filter(team__in=teams, entries=None).delete()
    unused = Team.objects.filter(pk__in=teams, known_in=None, bots=None, runs=None, members=None, acceptances=None)
    for team in unused:
        try:
            with transaction.atomic():
                team.delete()
        except models.ProtectedError:
            # An application or a request of another campaign names it.
            continue


def _drop_files() -> None:
    """Stored files that no task, run or plan names any more."""
    rows = StoredFile.objects.all()
    for model, name in (
        (AutomaticTask, "gold"),
        (AutomaticTask, "noise"),
        (Run, "file"),
        (ServicePlan, "gold"),
        (ServicePlan, "noise"),
    ):
        rows = rows.exclude(models.Exists(model._base_manager.filter(**{name: models.OuterRef("pk")})))
    rows.delete()
