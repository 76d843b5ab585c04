"""The one error that work in a shared transaction may raise without ending it. Pure."""


class Refused(Exception):
    """The work is not allowed and has written nothing, so the rest of a shared transaction goes on.

    `code` names the reason for programs.
    """

    code: str = "refused"
