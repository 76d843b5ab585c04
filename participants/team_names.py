"""What a reader calls a team, its system or its run: in English by the English name, where the team gave one."""

import re

from django.utils.translation import get_language

RUN = re.compile(r"-run\d+")


def called(name: str, name_en: str) -> str:
    """The team's name for the reader."""
    is_english = (get_language() or "").startswith("en")
    return name_en if name_en and is_english else name


def called_after(name: str, team: str, team_en: str) -> str:
    """The name of a system that is called as its team is, or of a run (`TEAM-run3`), with the team as the reader calls it."""
    if name == team or (team and name.startswith(team) and RUN.fullmatch(name, len(team))):
        return called(team, team_en) + name[len(team) :]
    return name
