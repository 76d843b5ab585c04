"""One thing to do, as it is shown."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Step:
    """A head, a sentence, and where it is done (nowhere, if there is only waiting).

    What is not `to_do` can only be looked at or waited for.
    """

    title: str
    text: str
    url: str = ""
    act: str = ""
    n_done: int = 0
    n_all: int = 0
    to_do: bool = True
