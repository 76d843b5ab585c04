"""REST: a program compares pairs as people do (next pair, vote, undo), and an organizer's program follows the progress."""

from typing import Annotated, Any, TypedDict

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import Access, person_of
from api.answers import From, encoded
from api.describing import describes
from api.parsers import body_in
from api.problems import problem_answer
from campaigns.access import OrganizersView, RolesView
from campaigns.models import Role
from pairs.actions import Conflict, open_next_pair, undo_vote, vote
from pairs.actions.opening import judges_of
from pairs.actions.voting import pair_of
from pairs.desk import done_rows, pair_document, standing_of, vote_document
from pairs.models import Pair
from pairs.progress import progress_of
from reading.json_schemas import Id, Moment
from reading.kinds import UNMEASURED_TEXT, Text, Whole
from reading.tables import Field, OrNull, Table
from reviews.sheet import SheetPart, SheetTurn

WHO_COMPARES = (Role.TESTER, Role.REVIEWER)
VERSION = Whole(0, 2**31 - 1)
EVIDENCE = Table({"side": Field(Text(10)), "turn": Field(Whole(0, 2**31 - 1))})
VOTE = Table(
    {
        "verdict": Field(Text(20)),
        "reason": Field(UNMEASURED_TEXT, ""),
        "evidence": Field(OrNull(EVIDENCE), None),
        "version": Field(VERSION, 0),
    },
    keeps_others=True,
)
UNDO = Table({"version": Field(VERSION)}, keeps_others=True)


class PairEvidenceAnswer(TypedDict):
    """A turn of the dialogue at that side; 0 is what a system said before its tester."""

    side: str
    turn: int


class PairSaidAnswer(TypedDict):
    verdict: str
    reason: str
    evidence: PairEvidenceAnswer | None


class PairVoteAnswer(TypedDict):
    """`said` is null where nothing stands; `undo_s` is how long the vote can still be taken back."""

    version: int
    undo_s: int
    said: PairSaidAnswer | None


class PairSideAnswer(TypedDict):
    """`dialogue` is null where another person talked: its sockets and pages are not the judge's."""

    dialogue: Id | None
    status: str
    turns: list[SheetTurn]
    subtasks: list[SheetPart]


class PairScenarioAnswer(TypedDict):
    key: str
    title: str
    instructions: str
    opening: str
    items: list[Any]
    facts: dict[str, Any]


class PairAnswer(TypedDict):
    """`state` is `open` while a dialogue goes on, `to_vote`, `voted`, or `released` where a dialogue counts no more."""

    id: Id
    kind: str
    state: str
    scenario: PairScenarioAnswer
    left: PairSideAnswer
    right: PairSideAnswer
    vote: PairVoteAnswer


class OpenedPair(TypedDict):
    id: Annotated[Id, From("pk")]
    page: Annotated[str, From(lambda pair: reverse("pair", args=[pair.pk]))]


class PairComparedAnswer(TypedDict):
    id: Annotated[Id, From("pair.pk")]
    scenario: Annotated[str, From("pair.scenario.key")]
    verdict: Annotated[str, From("vote.verdict")]
    at: Annotated[Moment, From("vote.at")]
    undo_s: int


class PairStandingAnswer(TypedDict):
    """`begun` is the pair that waits for its vote; `kind` is empty where nobody compares."""

    kind: str
    done: int
    total: int
    begun: Id | None
    compared: list[PairComparedAnswer]


class PairJudgeAnswer(TypedDict):
    judge: Annotated[str, From("judge.username")]
    is_program: Annotated[bool, From("judge.is_program")]
    done: Annotated[int, From("n_done")]
    open: Annotated[int, From("n_open")]
    released: Annotated[int, From("n_released")]
    sides_apart: Annotated[int, From("most_apart")]


class PairSystemAnswer(TypedDict):
    bot: Annotated[str, From("entry.key")]
    alias: Annotated[str, From("entry.alias")]
    left: Annotated[int, From("n_left")]
    right: Annotated[int, From("n_right")]


class PairMetAnswer(TypedDict):
    first: Annotated[str, From("first.key")]
    second: Annotated[str, From("second.key")]
    drawn: Annotated[int, From("n_drawn")]
    votes: Annotated[int, From("n_votes")]


class PairProgressAnswer(TypedDict):
    """`sides_apart` is how far lefts and rights of a system are apart; programs are in no sum."""

    kind: str
    draw: str
    drawn: int
    votes: int
    expected: int
    sides_apart: int
    judges: list[PairJudgeAnswer]
    systems: list[PairSystemAnswer]
    met: list[PairMetAnswer]


class Pairs(RolesView):
    """GET gives how far one is; POST opens the next pair, 204 where nothing is left."""

    access = Access("roles", WHO_COMPARES)

    @describes("Gives how far one is with pairs, and what one compared", PairStandingAnswer)
    def get(self, request: Request) -> PairStandingAnswer:
        judge, at = person_of(request), timezone.now()
        if not self.campaign.roles.filter(person=judge, role=judges_of(self.campaign)).exists():
            return {"kind": "", "done": 0, "total": 0, "begun": None, "compared": []}
        standing = standing_of(self.campaign, judge, at)
        return {
            "kind": self.campaign.pairs_kind,
            "done": standing.n_done,
            "total": standing.n_all,
            "begun": str(standing.begun.pk) if standing.begun else None,
            "compared": encoded(list[PairComparedAnswer], done_rows(self.campaign, judge, at)),
        }

    @describes("Opens the next pair; 204 where nothing is left", OpenedPair, 201, also={204: None}, refuses=(409,))
    def post(self, request: Request) -> Any:
        pair = open_next_pair(campaign=self.campaign, judge=person_of(request), at=timezone.now())
        return Response(status=204) if pair is None else pair


class OwnPair(APIView):
    """Turns the `pair_id` of the URL into `self.pair`, one that was drawn for the person; 404 for anything else."""

    access = Access("roles", WHO_COMPARES)

    def dispatch(self, request: Any, pair_id: str, **kwargs: Any) -> Any:
        self.pair_id = pair_id
        return super().dispatch(request, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.person, self.at = person_of(request), timezone.now()
        self.pair: Pair = pair_of(self.person, self.pair_id)

    def handle_exception(self, exc: Exception) -> Response:
        if not isinstance(exc, Conflict):
            return super().handle_exception(exc)
        return problem_answer(
            409,
            "conflict",
            lambda: _("This pair was compared already, in another tab or by another program."),
            version=exc.version,
            current=exc.current,
        )


class OnePair(OwnPair):
    """GET gives both dialogues side by side, without what tells who made a system."""

    @describes("Gives a pair: both dialogues side by side, and one's vote", PairAnswer)
    def get(self, request: Request) -> Any:
        return pair_document(self.pair, self.person, self.at)


class VoteOnPair(OwnPair):
    """POST says which side is better: `left`, `right`, `tie` or `both_bad`."""

    @describes("Says which side of a pair is better", PairVoteAnswer, 201, reads=VOTE, refuses=(409, 422))
    def post(self, request: Request) -> Any:
        said = body_in(request, VOTE)
        evidence = said["evidence"] or {"side": "", "turn": None}
        given = vote(
            pair=self.pair,
            judge=self.person,
            verdict=said["verdict"],
            reason=said["reason"],
            evidence_side=evidence["side"],
            evidence_turn=evidence["turn"],
            based_on_version=said["version"],
            at=self.at,
        )
        return vote_document(given, self.at)


class UndoneVote(OwnPair):
    """POST takes the vote of that version back, within ten seconds."""

    @describes("Takes a vote back, within ten seconds", PairVoteAnswer, reads=UNDO, refuses=(409,))
    def post(self, request: Request) -> Any:
        version = body_in(request, UNDO)["version"]
        return vote_document(undo_vote(pair=self.pair, judge=self.person, version=version, at=self.at), self.at)


class PairProgress(OrganizersView):
    """GET gives how far the judges are and how balanced the draws are; no verdict is told."""

    @describes("Gives how far the judges of pairs are, and how balanced the draws are", PairProgressAnswer)
    def get(self, request: Request) -> Any:
        progress = progress_of(self.campaign)
        return {
            "kind": self.campaign.pairs_kind,
            "draw": self.campaign.pairs_draw,
            "drawn": progress.n_drawn,
            "votes": progress.n_votes,
            "expected": progress.n_expected,
            "sides_apart": progress.most_apart,
            "judges": progress.judges,
            "systems": progress.systems,
            "met": progress.met,
        }
