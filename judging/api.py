"""REST: a campaign's judges that are models, and how each compares with people; the same acts and rules as the pages."""

from typing import Annotated, Any, TypedDict

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import person_of
from api.answers import From
from api.describing import describes
from api.parsers import body_in
from campaigns.access import OrganizersView
from judging.actions.declaring import declare_judge, withdraw_judge
from judging.actions.judgements import store_report
from judging.judge_form import FIELDS
from judging.limits import EPSILON
from judging.models import Judge, JudgeReport
from judging.pages import judge_in, judges_of
from judging.running import one_dialogue
from judging.workbench import report_of, state_of
from language_models.dry_run import DryRun
from reading.json_schemas import Moment
from reading.kinds import Number
from reading.tables import Field, Table

COMPARING = Table({"epsilon": Field(Number(0, 0.5), EPSILON)})


class JudgeAnswer(TypedDict):
    """`handed_in_as` is the account under which its scores count, null where they stand apart."""

    id: Annotated[int, From("pk")]
    key: str
    version: int
    model: Annotated[str, From("endpoint.key")]
    language: str
    n_samples: int
    temperature: float
    share: int
    seed: int
    instructions: str
    maker: str
    prompt_digest: str
    handed_in_as: Annotated[str | None, From("account.username")]
    declared_at: Moment
    withdrawn_at: Moment | None


class JudgesAnswer(TypedDict):
    judges: list[JudgeAnswer]


class WorkbenchAnswer(TypedDict):
    """`state` says how far the judge is; `one_dialogue` what is asked about one and takes at most, null where there is none.

    `report` holds the figures as `manage.py judge_report --format json` prints them, null before.
    """

    judge: JudgeAnswer
    state: dict[str, Any]
    one_dialogue: DryRun | None
    computed_at: Moment | None
    report: dict[str, Any] | None


class Judges(OrganizersView):
    @describes("Lists the judges of a campaign that are models, each key's newest version first", JudgesAnswer)
    def get(self, request: Request) -> dict[str, Any]:
        return {"judges": judges_of(self.campaign)}

    @describes("Declares a judge; where anything that decides its answers changed, its next version", JudgeAnswer, 201, reads=FIELDS, refuses=(409, 422))  # fmt: skip
    def post(self, request: Request) -> Judge:
        said = body_in(request, FIELDS)
        return declare_judge(campaign=self.campaign, by=person_of(request), at=timezone.now(), **said)


class OneJudge(OrganizersView):
    @describes("Compares a judge with people, as it was computed last", WorkbenchAnswer)
    def get(self, request: Request, judge_id: int) -> dict[str, Any]:
        return _workbench(judge_in(self.campaign, judge_id))

    @describes("Withdraws a judge; what it scored stays", None, 204, refuses=(409,))
    def delete(self, request: Request, judge_id: int) -> Response:
        withdraw_judge(judge=judge_in(self.campaign, judge_id), by=person_of(request), at=timezone.now())
        return Response(status=204)


class ComparedJudge(OrganizersView):
    @describes("Compares a judge with people as things stand now", WorkbenchAnswer, 201, reads=COMPARING)
    def post(self, request: Request, judge_id: int) -> dict[str, Any]:
        judge = judge_in(self.campaign, judge_id)
        content = report_of(judge, epsilon=body_in(request, COMPARING)["epsilon"])
        store_report(judge=judge, content=content, at=timezone.now())
        return _workbench(judge)


def _workbench(judge: Judge) -> dict[str, Any]:
    report = JudgeReport.objects.filter(judge=judge).first()
    return {
        "judge": judge,
        "state": state_of(judge),
        "one_dialogue": one_dialogue(judge),
        "computed_at": report.computed_at if report else None,
        "report": report.content if report else None,
    }
