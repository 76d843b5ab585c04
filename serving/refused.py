"""The errors that work in a shared transaction may raise without ending it. Pure."""


class Refused(Exception):
    """The work is not allowed and has written nothing, so the rest of a shared transaction goes on.

    `code` names the reason for programs.
    """

    code: str = "refused"


class NotYet(Refused):
    """Not allowed at this moment, and allowed `after_s` seconds from now."""

    # 429 where the person asked too often, 503 where others take all there is.
    status: int = 503

    def __init__(self, after_s: int) -> None:
        super().__init__()
        self.after_s = after_s
