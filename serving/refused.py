"""The errors that work in a shared transaction may raise without ending it. Pure."""

from django.utils.translation import gettext


class Refused(Exception):
    """The work is not allowed and has written nothing, so the rest of a shared transaction goes on.

    `code` names the reason for programs. `text` is an English sentence with the `values` that it names; `str` says it in the language
    that is active then, so that an answer to a program has both.
    """

    code: str = "refused"

    def __init__(self, text: str = "", **values: object) -> None:
        super().__init__(text)
        self.text, self.values = text, values

    def __str__(self) -> str:
        said = gettext(self.text) if self.text else ""
        return said % self.values if self.values else said


class NotYet(Refused):
    """Not allowed at this moment, and allowed `after_s` seconds from now."""

    # 429 where the person asked too often, 503 where others take all there is.
    status: int = 503

    def __init__(self, after_s: int) -> None:
        super().__init__()
        self.after_s = after_s
