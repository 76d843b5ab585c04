"""The form of a new campaign: what was typed, what it means, and what is wrong beside each field. Pure."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext

from campaigns.campaign_settings import SETTINGS
from campaigns.presets import PRESETS
from organizing.setting_up.calendar_form import CalendarForm, read_form
from reading.kinds import SLUG, Text, Texts, Wrong

NAME = Text(200, may_be_empty=True)


@dataclass(slots=True)
class NewCampaignForm:
    """`start` is the key of a preset, or `copy:` and the slug of a campaign."""

    start: str
    slug: str
    name_zh: str
    name_en: str
    language: str
    calendar: CalendarForm
    wrong: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> Texts:
        """A name in one language is the name in both."""
        zh, en = self.name_zh.strip(), self.name_en.strip()
        return Texts(zh or en, en or zh)

    @property
    def copied(self) -> str:
        """The slug of the campaign to be copied; empty where a preset was chosen."""
        return self.start.removeprefix("copy:") if self.start.startswith("copy:") else ""

    @property
    def is_wrong(self) -> bool:
        return bool(self.wrong or self.calendar.wrong)


def read_new_campaign(sent: Mapping[str, str], may_copy: Collection[str]) -> NewCampaignForm:
    """Of what was sent, with a sentence for each field that cannot be used; `may_copy` are slugs."""
    form = NewCampaignForm(
        start=sent.get("start", ""),
        slug=sent.get("slug", "").strip(),
        name_zh=sent.get("name_zh", ""),
        name_en=sent.get("name_en", ""),
        language=sent.get("language", ""),
        calendar=read_form(sent, SETTINGS["time_zone"].default),
    )
    if form.start not in PRESETS and form.copied not in may_copy:
        form.wrong["start"] = gettext("Choose what the campaign starts from.")
    if form.language not in ("", *SETTINGS["language"].stored_choices):
        form.wrong["language"] = gettext("This choice is not known")
    for name, kind, value in (
        ("slug", SLUG, form.slug),
        ("name_zh", NAME, form.name_zh),
        ("name_en", NAME, form.name_en),
    ):
        try:
            kind.value_of(value)
        except Wrong as wrong:
            form.wrong[name] = wrong.at("").message
    if not (form.name.zh or "name_zh" in form.wrong or "name_en" in form.wrong):
        form.wrong["name_zh"] = gettext("Give it a name in at least one language.")
    return form
