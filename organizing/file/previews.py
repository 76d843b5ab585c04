"""What loading an uploaded campaign file would change, with pruning where that is asked for, and loading exactly that."""

from dataclasses import dataclass, replace
from datetime import datetime

from django.conf import settings
from django.utils.translation import gettext_noop

from accounts.models import Person
from campaigns.actions import Loaded, load_file, preview_load
from campaigns.actions.entering import GONE as BOT_GONE
from campaigns.actions.entering import TAKEN_BY_PAGE as BOT_TAKEN
from campaigns.actions.loading_people import MADE_ITSELF, ROLE_GONE, TEAM_GONE
from campaigns.actions.loading_people import TAKEN_BY_PAGE as TEAM_TAKEN
from campaigns.actions.loading_scenarios import GONE as SCENARIO_GONE
from campaigns.actions.loading_scenarios import TAKEN_BY_PAGE as SCENARIO_TAKEN
from campaigns.campaign_file import CampaignSpec, read_campaign_file
from campaigns.models import Campaign
from dialogues.queries import void_assignments
from participants.adapters import PROTOCOLS
from reading.checking import BadFile
from reading.findings import Finding

GONE = {BOT_GONE, ROLE_GONE, SCENARIO_GONE, TEAM_GONE}
TAKEN = {BOT_TAKEN, MADE_ITSELF, TEAM_TAKEN, SCENARIO_TAKEN}


def limit_bytes() -> int:
    """How large a file may be that a page shows first: it comes back in the form that confirms, as base64 with escapes."""
    return int(settings.UPLOAD_LIMIT_BYTES) // 2


def limit_mb() -> str:
    return f"{limit_bytes() / 1024 / 1024:g}"


@dataclass(frozen=True, slots=True)
class Preview:
    """`pruned` is None where it was not asked for, where nothing could be pruned, or where that would be refused for
    `pruning_problems`."""

    problems: tuple[Finding, ...] = ()
    loaded: Loaded | None = None
    pruned: Loaded | None = None
    pruning_problems: tuple[Finding, ...] = ()
    takes_over: bool = False
    prunes: bool = False

    @property
    def changes(self) -> list[Finding]:
        return self.loaded.report.changed if self.loaded else []

    @property
    def left_alone(self) -> list[Finding]:
        return self.loaded.report.left_alone if self.loaded else []

    @property
    def removals(self) -> list[Finding]:
        """What pruning would change besides."""
        return [one for one in self.pruned.report.changed if one not in self.changes] if self.pruned else []

    @property
    def may_prune(self) -> bool:
        """Whether rows of a file stay that it no longer holds, and nobody has asked yet what removing them would change."""
        return not self.prunes and any(left.text in GONE for left in self.left_alone)

    @property
    def may_take_over(self) -> bool:
        """Whether something is only refused because it was made or changed in the browser."""
        return any(problem.text in TAKEN for problem in self.problems)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it was uploaded, and how it is to be loaded."""

    name: str
    content: bytes
    takes_over: bool = False
    prunes: bool = False


def spec_of_upload(campaign: Campaign, upload: Upload) -> CampaignSpec:
    """Errors: `BadFile`, also where the file is another campaign's."""
    spec = read_campaign_file(upload.name.lower(), upload.content, PROTOCOLS)
    if spec.slug != campaign.slug:
        text = gettext_noop("is %(said)s, but this is the campaign %(slug)s: a file never changes another campaign")
        raise BadFile([Finding("[campaign] slug", text, {"said": spec.slug, "slug": campaign.slug})])
    return spec


def preview_of(campaign: Campaign, upload: Upload, *, by: Person, at: datetime) -> Preview:
    """Stores nothing."""
    shown = Preview(takes_over=upload.takes_over, prunes=upload.prunes)
    try:
        spec, void = spec_of_upload(campaign, upload), void_assignments(campaign)
        loaded = preview_load(spec=spec, void=void, takes_over=upload.takes_over, by=by, at=at)
    except BadFile as bad:
        return replace(shown, problems=tuple(bad.problems))
    if not upload.prunes:
        return replace(shown, loaded=loaded)
    try:
        pruned = preview_load(spec=spec, void=void, prunes=True, takes_over=upload.takes_over, by=by, at=at)
    except BadFile as bad:
        return replace(shown, loaded=loaded, pruning_problems=tuple(bad.problems))
    has_more = pruned.report.changes != loaded.report.changes
    return replace(shown, loaded=loaded, pruned=pruned if has_more else None)


def load_upload(campaign: Campaign, upload: Upload, *, previewed: str, by: Person, at: datetime) -> Loaded:
    """Errors: `BadFile`; `PreviewIsOld` where loading would change something else by now."""
    return load_file(
        spec=spec_of_upload(campaign, upload),
        void=void_assignments(campaign),
        prunes=upload.prunes,
        takes_over=upload.takes_over,
        previewed=previewed,
        by=by,
        at=at,
    )
