"""Where people write of each other: the columns in which names are looked for when a person is erased.

Other columns hold the contest's own texts, keys and figures, or belong to the erased person and go as a whole. What was said in
dialogues of other people is looked through, too, but only where that is asked for: a name can be a word.
"""

from collections.abc import Iterator

from django.apps import apps
from django.db import models

from campaigns.descriptions import PARTS
from privacy.stand_ins import Change, in_json

MENTIONS = {
    "automatic_tasks.Run": ("note",),
    "automatic_tasks.Service": ("returned_because", "withdrawn_because"),
    "automatic_tasks.TeamQuota": ("reason",),
    "campaigns.CampaignRole": ("paused_because",),
    "campaigns.Description": tuple(f"{part}_{language}" for part in PARTS for language in ("zh", "en")),
    "campaigns.Entry": ("paused_because", "returned_because"),
    "dialogues.Announcement": ("text_zh", "text_en"),
    "dialogues.Objection": ("text", "answer"),
    "dialogues.Problem": ("text",),
    "judging.Judge": ("instructions", "maker"),
    "leaderboards.ImportedRecord": ("reviewer", "content"),
    "pairs.PairVote": ("reason",),
    "registration.Application": ("affiliation", "contact", "members", "because"),
    "registration.DataPackage": ("file_name", "about"),
    "registration.Invitation": ("name", "email"),
    "replays.SentinelRound": ("settled_because",),
    "reviews.ClosedPanel": ("because",),
    "reviews.GuideExample": ("reason",),
    "reviews.Remark": ("text",),
    "reviews.RevisionRequest": ("reason",),
    "reviews.Vetting": ("reason",),
}


def change_mentions(change: Change) -> int:
    """Applies the change to every text of these columns; gives how many rows were changed."""
    return sum(_change_rows(apps.get_model(label), columns, change) for label, columns in MENTIONS.items())


def _change_rows(model: type[models.Model], columns: tuple[str, ...], change: Change) -> int:
    n_changed = 0
    for pk, left in _changed(model, columns, change):
        model._base_manager.filter(pk=pk).update(**left)
        n_changed += 1
    return n_changed


def _changed(
    model: type[models.Model], columns: tuple[str, ...], change: Change
) -> Iterator[tuple[object, dict[str, object]]]:
    for pk, *values in model._base_manager.values_list("pk", *columns).iterator(chunk_size=1000):
        stored = dict(zip(columns, values, strict=True))
        left = {name: fitting(model, name, in_json(value, change)) for name, value in stored.items()}
        if left != stored:
            yield pk, {name: value for name, value in left.items() if value != stored[name]}


def fitting(model: type[models.Model], name: str, value: object) -> object:
    """A text as long as its column takes."""
    limit = getattr(model._meta.get_field(name), "max_length", None)
    return value[:limit] if isinstance(value, str) and limit else value
