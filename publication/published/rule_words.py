"""The rule of a published board in words: how it ranks, what its figures are means of, how sure they are. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dialogues.fault_policy import FaultPolicy, exceptions_in_words
from dialogues.turn_policy import turn_in_words
from leaderboards.board import Board, Words, formula
from publication.documents import Document, counts_turns, has_people, is_of_runs
from reviews.counting_rules import ONE_MORE

COUNTED = {
    "self": lambda: _("the testers'"),
    "panel": lambda: _("the panel's"),
    "both": lambda: _("the testers' and the panel's"),
}


@dataclass(frozen=True, slots=True)
class Called:
    """What the rows of a kind of board are called where its rule is told."""

    ranked_by: str
    compared: str


SYSTEMS = Called(
    gettext_noop("Systems are ranked by %(key)s."),
    gettext_noop("Figures are compared unrounded; systems that are equal in all of them share a rank."),
)
TEAMS = Called(
    gettext_noop("Teams are ranked by %(key)s."),
    gettext_noop("Figures are compared unrounded; teams that are equal in all of them share a rank."),
)
RUNS = Called(
    gettext_noop("Runs are ranked by %(key)s."),
    gettext_noop("Figures are compared unrounded; runs that are equal in all of them share a rank."),
)

OF_SCENARIOS = gettext_noop("Intervals cover 95%% of %(n)s resamples of the %(scenarios)d scenarios (seed %(seed)d).")
OF_ITEMS = gettext_noop("Intervals cover 95%% of %(n)s resamples of the %(items)d items of the task (seed %(seed)d).")
OF_TASKS = gettext_noop(
    "Intervals cover 95%% of %(n)s resamples of the items of each task, each drawn on its own (seed %(seed)d)."
)
OF_PEOPLE_AND_TASKS = gettext_noop(
    "Intervals cover 95%% of %(n)s resamples of the scenarios of people's figures and of the items of each task, each "
    "drawn on its own (seed %(seed)d)."
)


def rule_in_words(document: Document, board: Board) -> list[str]:
    """Sentences for a reader who knows nothing of the campaign."""
    if is_of_runs(document):
        return [*_ranking(board, RUNS), *_runs(document), *_drawn(document, OF_ITEMS)]
    if "combined" in document:
        drawn = OF_PEOPLE_AND_TASKS if has_people(document) else OF_TASKS
        return [*_ranking(board, TEAMS), *_joined(document, board), *_drawn(document, drawn)]
    return [*_ranking(board, SYSTEMS), *_figures(document), *_drawn(document, OF_SCENARIOS)]


def _ranking(board: Board, called: Called) -> Iterator[str]:
    keys = [
        (_("%(key)s (higher is better)") if key.better == "higher" else _("%(key)s (lower is better)"))
        % {"key": f"{key.letter} {short(str(key.words))}".strip()}
        for key in board.rule
    ]
    yield _(called.ranked_by) % {"key": keys[0]}
    if keys[1:]:
        yield _("Equal ones are told apart by %(keys)s, in this order.") % {"keys": _(", ").join(keys[1:])}
    yield _(called.compared)


def _runs(document: Document) -> Iterator[str]:
    (part,) = document["combined"]["parts"]
    text = _("The figures are those of the automatic task %(task)s, of one run per team: no person scored here.")
    yield text % {"task": Words(**part["name"])}
    if any(row.get("baseline") or "source" in row for row in document["rows"]):
        yield _("Baselines are nobody's runs; printed figures are those of a paper. They are ranked with the runs.")


def _figures(document: Document) -> Iterator[str]:
    yield _("Each figure is a mean over n records; a record is what one reviewer says of one dialogue.")
    yield from _weights(document)
    yield from _whose(document)
    yield from _turns(document)
    yield from exceptions_in_words(FaultPolicy(**document.get("faults", {})))


def _turns(document: Document) -> Iterator[str]:
    if counts_turns(document):
        yield _("A finished subtask is charged the turns that it took, an unfinished one its turn cap.")
        if "turns_are" in document:
            yield turn_in_words(document["turns_are"])


def _weights(document: Document) -> Iterator[str]:
    yield _("The records of a dialogue share one weight: every scored dialogue counts the same.")
    if document.get("decisions_count") == ONE_MORE:
        yield _("Where an adjudicator decided, that decision is one more record beside those of the panel.")


def _whose(document: Document) -> Iterator[str]:
    # Records from elsewhere say themselves who gave them.
    if document["n_dialogues"] and document["counted_reviews"] in COUNTED:
        yield _("Counted are %(whose)s scores.") % {"whose": COUNTED[document["counted_reviews"]]()}
    if document.get("n_reconstructed"):
        yield _(
            "The records are a reconstruction: they were made afterwards so that they give the published figures, and are not the"
            " original scores. Intervals and tests are therefore illustrations."
        )


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
        yield from _weights(document)
        yield from _whose(document)
        yield from _turns(document)
        yield from exceptions_in_words(FaultPolicy(**document.get("faults", {})))
        yield _("The other figures are those of each team's run of the automatic task that they name.")
        yield _("A team with several systems is represented by its best-ranked one.")
    else:
        yield _("Each figure is that of the team's run of the automatic task that it names.")
    yield _("A team without a figure that ranks is unranked.")
    if final := told.get("final"):
        keys = _(", ").join(str(Words(**key)) for key in final)
        yield _("This is not the final ranking, which is by %(keys)s once a team has all figures of it.") % {
            "keys": keys
        }


def _drawn(document: Document, text: str) -> Iterator[str]:
    """How sure the figures are; `text` says what was redrawn."""
    drawn = document["statistics"]
    if drawn and drawn.get("rows"):
        yield _(text) % {
            "n": f"{drawn['n_resamples']:,}",
            "seed": drawn["seed"],
            "scenarios": drawn.get("n_scenarios"),
            "items": drawn.get("n_items"),
        }


def short(words: str) -> str:
    """The name of a figure without its explanation."""
    return words.split(": ")[0].split("：")[0]
