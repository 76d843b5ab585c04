"""The rule of a published board in words: how it ranks, what its figures are means of, how sure they are. Pure."""

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _

from leaderboards.board import Board
from leaderboards.formulas import formula
from leaderboards.publication.documents import Document
from measures.live import MEAN_TURNS
from testing_console.fault_policy import CHARGED, LEFT_OUT

COUNTED = {
    "self": lambda: _("the testers'"),
    "panel": lambda: _("the panel's"),
    "both": lambda: _("the testers' and the panel's"),
}


def rule_in_words(document: Document, board: Board) -> list[str]:
    """Sentences for a reader who knows nothing of the campaign."""
    if "combined" in document:
        return [*_ranking(board), *_joined(document, board), *_statistics_of_parts(document)]
    return [*_ranking(board), *_figures(document, board), *_statistics(document)]


def _ranking(board: Board) -> Iterator[str]:
    keys = [
        (_("%(key)s (higher is better)") if key.better == "higher" else _("%(key)s (lower is better)"))
        % {"key": f"{key.letter} {short(str(key.words))}".strip()}
        for key in board.rule
    ]
    yield _("Systems are ranked by %(key)s.") % {"key": keys[0]}
    if keys[1:]:
        yield _("Equal ones are told apart by %(keys)s, in this order.") % {"keys": _(", ").join(keys[1:])}
    yield _("Figures are compared unrounded; systems that are equal in all of them share a rank.")


def _figures(document: Document, board: Board) -> Iterator[str]:
    yield _("Each figure is a mean over n records; a record is what one reviewer says of one dialogue.")
    # Records from elsewhere say themselves who gave them.
    if document["n_dialogues"] and document["counted_reviews"] in COUNTED:
        yield _("Counted are %(whose)s scores.") % {"whose": COUNTED[document["counted_reviews"]]()}
    if any(key.name == MEAN_TURNS.name for key in board.keys):
        yield _("A finished subtask is charged the turns that it took, an unfinished one its turn cap.")
    yield from _faults(document.get("faults", {}))


def _joined(document: Document, board: Board) -> Iterator[str]:
    """What the columns of a combined board are, and what of two systems of a team is shown."""
    told = document["combined"]
    if told["total"]:
        yield formula(board, told["columns"], told["total"])
    of_people = [key for key, one in zip(board.keys, told["columns"], strict=False) if one["task"] is None]
    if of_people:
        names = _(", ").join(key.letter or short(str(key.words)) for key in of_people)
        text = _("%(names)s: means over n records; a record is what one reviewer says of one dialogue.")
        yield text % {"names": names}
        if document["counted_reviews"] in COUNTED:
            yield _("Counted are %(whose)s scores.") % {"whose": COUNTED[document["counted_reviews"]]()}
        yield from _faults(document.get("faults", {}))
    yield _("The other figures are those of each team's run of the automatic task that they name.")
    yield _(
        "Of several systems of a team the best ranked one speaks for it. Who lacks a figure that ranks has no rank."
    )


def _statistics_of_parts(document: Document) -> Iterator[str]:
    drawn = document["statistics"]
    if drawn and drawn.get("rows"):
        text = _(
            "Intervals cover 95 %% of %(n)d resamples of the scenarios of people's figures and of the items of each task, each "
            "drawn on its own (seed %(seed)d)."
        )
        yield text % {"n": drawn["n_resamples"], "seed": drawn["seed"]}


def _faults(said: Mapping[str, str]) -> Iterator[str]:
    """What a system's failures cost it, where that differs from the usual."""
    if said.get("broken_dialogues") == LEFT_OUT:
        yield _("Dialogues in which a subtask ended because the system failed are left out.")
    if said.get("failed_turns") == CHARGED:
        yield _("Turns that the system failed to answer are charged, too.")


def _statistics(document: Document) -> Iterator[str]:
    drawn = document["statistics"]
    if drawn and drawn.get("rows"):
        values = {"n": drawn["n_resamples"], "scenarios": drawn["n_scenarios"], "seed": drawn["seed"]}
        text = _("Intervals cover 95 %% of %(n)d resamples of the %(scenarios)d scenarios (seed %(seed)d).")
        yield text % values


def short(words: str) -> str:
    """The name of a figure without its explanation."""
    return words.split(": ")[0].split("：")[0]
