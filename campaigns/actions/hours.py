"""Says when bots are open and testers are on shift."""

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Person
from audit.actions import record
from campaigns.calendar import Doing, check_open
from campaigns.hours import HOURS
from campaigns.models import Campaign
from campaigns.trail_acts import HOURS_CHANGED
from reading.kinds import Wrong
from serving.refused import Refused


class BadHours(Refused):
    """`wrong` says what is wrong by `bots.ALIAS` or `testers.USERNAME`."""

    code = "bad_hours"

    def __init__(self, wrong: Mapping[str, str]) -> None:
        super().__init__()
        self.wrong = wrong

    def __str__(self) -> str:
        return " ".join(f"{name}: {text}" for name, text in self.wrong.items())


@transaction.atomic
def change_hours(
    *,
    campaign: Campaign,
    bots: Mapping[str, str],
    testers: Mapping[str, str],
    was: Mapping[str, str] | None = None,
    by: Person | None,
    at: datetime,
) -> list[str]:
    """Stores the hours of the bots named by alias and of the testers by user name; gives the names of those that differed.

    `was` says, by names as in `BadHours`, what the editor has seen: later changes by others are not overwritten. Dialogues that are open go on. Errors: `BadHours`, `NotNow`; then nothing is changed.
    """
    # Openings hold this row, too: none comes between the hours of before and after.
    campaign = Campaign.objects.held(campaign.pk)
    check_open(campaign, Doing.ORGANIZE, at)
    entries = {f"bots.{one.alias}": one for one in campaign.entries.all()}
    roles = {
        f"testers.{one.person.username}": one for one in campaign.roles.testers_and_programs().select_related("person")
    }
    rows = entries | roles
    named = {f"bots.{name}": said for name, said in bots.items()}
    named |= {f"testers.{name}": said for name, said in testers.items()}
    read, wrong = _read(named, {name: one.hours for name, one in rows.items()}, was or {})
    if wrong:
        raise BadHours(wrong)
    changed = {name: said for name, said in read.items() if rows[name].hours != said}
    for name, said in changed.items():
        rows[name].hours = said
        rows[name].save(update_fields=["hours"])
    if changed:
        record(HOURS_CHANGED, by=by, at=at, campaign=campaign.slug, about=campaign.slug, details={"hours": changed})
    return list(changed)


def _read(
    named: Mapping[str, str], stored: Mapping[str, str], was: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, str]]:
    read, wrong = dict[str, str](), dict[str, str]()
    for name, said in named.items():
        if name not in stored:
            wrong[name] = _("There is no such system or tester here.")
            continue
        try:
            read[name] = HOURS.value_of(said)
        except Wrong as bad:
            wrong[name] = _(bad.text) % bad.values if bad.values else _(bad.text)
            continue
        if stored[name] not in (was.get(name, stored[name]), read[name]):
            now = stored[name] or _("always")
            wrong[name] = _("Meanwhile somebody changed this to: %(hours)s. Save again to put yours in its place.") % {
                "hours": now
            }
    return read, wrong
