"""The acts that the trail can name. Each room declares its own, beside its actions.

BOT_PAUSED = trail_act("bot.paused", _("paused the system %(about)s"))
"""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

KEY_LIMIT = 40


@dataclass(frozen=True, slots=True)
class TrailAct:
    """`key` is stored and never changes; `sentence` goes on after the person's name and may say `%(about)s`."""

    key: str
    sentence: Promise | str

    def said_of(self, about: str) -> str:
        return str(self.sentence) % {"about": about}


_known: dict[str, TrailAct] = {}


def trail_act(key: str, sentence: Promise | str) -> TrailAct:
    """Declares an act. Errors: `ValueError` where another act has the key, or it is too long to store."""
    if len(key) > KEY_LIMIT:
        raise ValueError(f"The key of the act {key} has more than {KEY_LIMIT} characters.")
    declared = TrailAct(key, sentence)
    if _known.setdefault(key, declared) != declared:
        raise ValueError(f"The act {key} is declared twice.")
    return declared


def act_of(key: str) -> TrailAct:
    """The act with that key; one that no room declares any more is shown by its key."""
    return _known.get(key) or TrailAct(key, format_lazy("{} %(about)s", key))


def known_acts() -> list[TrailAct]:
    return sorted(_known.values(), key=lambda one: one.key)


# The operator's, but declared here: pages that were open before a restore must hear of it (`epoch_of_trail`).
RESTORED = trail_act("installation.restored", _("restored the backup %(about)s"))
