"""manage.py copy_rubric KEY NEW_KEY: the content of a rubric under a key of its own, as a table for a campaign file."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from campaigns.presets import PRESETS
from reading.kinds import SLUG, Wrong
from reading.toml_text import toml_of
from rubrics.actions import KeyInUse, copy_rubric, preset_of, rubric_from_preset
from rubrics.models import Rubric
from rubrics.rubric_table import rubric_document


class Command(BaseCommand):
    help = (
        "Stores the content of a rubric under a new key and prints it as the table [rubric] of a campaign file, "
        "where it can be changed. The rubric that is copied stays as it is."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("key", metavar="KEY", help="a stored rubric, or one of a preset")
        parser.add_argument("new_key", metavar="NEW_KEY")
        parser.add_argument(
            "--rubric-version", type=int, metavar="N", help="an older version of it (default: the latest)"
        )

    def handle(self, *, key: str, new_key: str, rubric_version: int | None, **options: Any) -> None:
        wanted = _checked(new_key)
        try:
            copy = copy_rubric(rubric=_found(key, rubric_version), key=wanted)
        except KeyInUse as used:
            raise CommandError(f"There is a rubric {new_key!r} already; choose another key.") from used
        self.stdout.write(toml_of({"rubric": rubric_document(preset_of(copy))}), ending="")


def _checked(key: str) -> str:
    try:
        wanted: str = SLUG.value_of(key)
    except Wrong as wrong:
        raise CommandError(f"NEW_KEY {wrong.text}.") from wrong
    if wanted in _rubrics_of_presets():
        raise CommandError(f"{wanted!r} is the rubric of a preset; choose another key.")
    return wanted


def _found(key: str, version: int | None) -> Rubric:
    """A stored version; the preset's, stored now, where no campaign had this rubric so far."""
    stored = Rubric.objects.filter(key=key).order_by("-version")
    if version is not None:
        stored = stored.filter(version=version)
    rubric = stored.first()
    if rubric is not None:
        return rubric
    if version is None and key in _rubrics_of_presets():
        return rubric_from_preset(_rubrics_of_presets()[key])
    known = sorted({*Rubric.objects.values_list("key", flat=True), *_rubrics_of_presets()})
    of_version = "" if version is None else f" in version {version}"
    raise CommandError(f"There is no rubric {key!r}{of_version}. There are: {', '.join(known)}.")


def _rubrics_of_presets() -> dict[str, Any]:
    return {preset.rubric.key: preset.rubric for preset in PRESETS.values()}
