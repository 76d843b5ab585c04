"""Dialogues and scores."""

from django.core.files.uploadedfile import SimpleUploadedFile

from campaigns.models import Role
from dialogues.actions.reports import report_problem
from reviews.actions.closing import close_panel
from reviews.actions.guide import add_example
from reviews.actions.submitting import request_revision
from reviews.models import Vetting
from rubrics.models import ScalePoint
from tests.dialogues.test_actions import Talk
from tests.reviews.conftest import SCORES, closed_dialogue, panel, person
from tests.trail_tries.table import tries


def decides(act, name, prepare, **said):
    """A decision about a dialogue: by its page, and by the API."""
    for root in ("", "api/v1/"):

        def sent(stage, root=root):
            dialogue = prepare(stage)
            return f"/{root}campaigns/small/dialogues/{dialogue.pk}/{name}/", {
                "because": "the organizer's reason"
            } | said

        tries(f"POST {root}campaigns/<slug:slug>/dialogues/<uuid:dialogue_id>/<slug:act>/", act)(sent)


@tries("POST api/v1/campaigns/<slug:slug>/dialogues/import/", "dialogues.imported")
def _(stage):
    return "", {"file": SimpleUploadedFile("d.jsonl", DIALOGUE), "bot": "Helper", "team": "Team Beta"}


DIALOGUE = b'{"id": "d1", "turns": [{"speaker": "tester", "text": "hello"}, {"speaker": "bot", "text": "hello"}]}'
RECORD = (
    b'{"team": "Team Beta", "scenario": "s1", "reviewer": "r", "ratings": {"fluency": 1}, '
    b'"subtasks": [{"kind": "flight", "completed": true, "turns": 3, "cap": 9}]}'
)


@tries("POST campaigns/<slug:slug>/imports/", "dialogues.imported")
def _(stage):
    said = {"format": "huace", "bot": "Helper", "team": "Team Beta"}
    return "", {"file": SimpleUploadedFile("d.jsonl", DIALOGUE)} | said


@tries("POST campaigns/<slug:slug>/imports/records/", "records.imported")
def _(stage):
    return "", {"file": SimpleUploadedFile("r.jsonl", RECORD)}


@tries("POST api/v1/campaigns/<slug:slug>/records/import/", "records.imported")
def _(stage):
    return "", {"file": SimpleUploadedFile("r.jsonl", RECORD)}


BATTLE = (
    b'{"model_a": "m-1", "model_b": "m-2", "winner": "tie", "judge": "j-1", "judge_kind": "person", "question_id": 7}\n'
)


@tries("POST campaigns/<slug:slug>/imports/pairs/", "pairs.imported")
def _(stage):
    return "", {"file": SimpleUploadedFile("b.jsonl", BATTLE)}


@tries("POST api/v1/campaigns/<slug:slug>/pairs/import/", "pairs.imported")
def _(stage):
    return "", {"file": SimpleUploadedFile("b.jsonl", BATTLE)}


def with_failure(stage):
    """A dialogue whose first turn failed for good, by the bot's fault."""
    dialogue = stage.fixture("dialogue")
    talk = Talk(dialogue, stage.fixture("admission"))
    talk.fail(talk.send().asked)
    return dialogue


for root in ("", "api/v1/"):

    @tries(f"POST {root}campaigns/<slug:slug>/dialogues/<uuid:dialogue_id>/<slug:act>/", "fault.booked")
    def _(stage, root=root):
        address = f"/{root}campaigns/small/dialogues/{with_failure(stage).pk}/fault/"
        return address, {"turn": 1, "fault": "nobody", "because": "the power was out"}


decides("dialogue.ended", "end", lambda stage: stage.fixture("dialogue"))
decides("dialogue.extended", "extend", lambda stage: stage.fixture("dialogue"), minutes=30)
decides("dialogue.voided", "void", lambda stage: stage.scored())
decides("dialogue.restored", "restore", lambda stage: stage.voided())


@tries("POST campaigns/<slug:slug>/dialogues/many/", "dialogue.voided")
def _(stage):
    return "", {"act": "void", "chosen": [str(stage.scored().pk)], "because": "the organizer's reason"}


@tries("POST api/v1/campaigns/<slug:slug>/dialogues/many/", "dialogue.voided")
def _(stage):
    return "", {"act": "void", "dialogues": [{"id": str(stage.scored().pk)}], "because": "the organizer's reason"}


@tries("POST campaigns/<slug:slug>/problems/<int:problem_id>/settle/", "problem.settled")
def _(stage):
    dialogue, tester = stage.fixture("dialogue"), stage.person("tester")
    problem = report_problem(dialogue=dialogue, person=tester, turn=None, text="slow", at=stage.now)
    return f"/campaigns/small/problems/{problem.pk}/settle/", {}


for root, text in (("", "because"), ("api/v1/", "text")):

    @tries(f"POST {root}campaigns/<slug:slug>/team/objections/", "objection.made", by="participant")
    def _(stage, text=text):
        said = {"dialogue": str(with_failure(stage).pk), "turn": 1, "against": "fault", text: "it answered in time"}
        return "", said

    for act, upheld, word in (("objection.upheld", True, "yes"), ("objection.rejected", False, "no")):

        @tries(f"POST {root}campaigns/<slug:slug>/objections/<int:objection_id>/", act)
        def _(stage, root=root, upheld=upheld, word=word):
            made = with_failure(stage).objections.create(
                against="fault", text="it answered in time", made_by=stage.person("participant"), made_at=stage.now
            )
            address = f"/{root}campaigns/small/objections/{made.pk}/"
            return address, {"upheld": upheld if root else word, "because": "the log shows it"}


@tries("POST campaigns/<slug:slug>/panels/<uuid:dialogue_id>/", "panel.closed")
def _(stage):
    return f"/campaigns/small/panels/{stage.scored().pk}/", {"act": "close", "because": "ill"}


@tries("POST campaigns/<slug:slug>/panels/<uuid:dialogue_id>/", "panel.reopened")
def _(stage):
    dialogue = stage.scored()
    close_panel(dialogue=dialogue, organizer=stage.person("organizer"), because="ill", at=stage.now)
    return f"/campaigns/small/panels/{dialogue.pk}/", {"act": "reopen"}


@tries("POST api/v1/dialogues/<uuid:dialogue_id>/panel/", "panel.closed")
def _(stage):
    return f"/api/v1/dialogues/{stage.scored().pk}/panel/", {"closed": True, "because": "ill"}


@tries("POST api/v1/dialogues/<uuid:dialogue_id>/gold/", "gold.set")
def _(stage):
    return f"/api/v1/dialogues/{stage.to_score().pk}/gold/", {"ratings": SCORES}


EXAMPLE = {"criterion": "fluency", "score": "-1", "reason": "It stops in the middle."}


@tries("POST campaigns/<slug:slug>/review/guide/examples/", "guide.example_added")
def _(stage):
    point = ScalePoint.objects.get(criterion__rubric=stage.campaign.rubric, criterion__key="fluency", score=-1)
    return "", {"dialogue": str(stage.scored().pk), "point": point.pk, "turn": "1", "reason": "It stops in the middle."}


@tries("POST api/v1/campaigns/<slug:slug>/review/guide/examples/", "guide.example_added")
def _(stage):
    return "", {"dialogue": str(stage.scored().pk), **EXAMPLE}


def chosen(stage):
    point = ScalePoint.objects.get(criterion__rubric=stage.campaign.rubric, criterion__key="fluency", score=-1)
    return add_example(
        dialogue=stage.scored(), point=point, turn=1, reason="It stops.", by=stage.person("organizer"), at=stage.now
    )


@tries("POST campaigns/<slug:slug>/review/guide/examples/<int:example_id>/remove/", "guide.example_removed")
def _(stage):
    return f"/campaigns/small/review/guide/examples/{chosen(stage).pk}/remove/", {}


@tries("DELETE api/v1/campaigns/<slug:slug>/review/guide/examples/<int:example_id>/", "guide.example_removed")
def _(stage):
    return f"/api/v1/campaigns/small/review/guide/examples/{chosen(stage).pk}/", {}


@tries("POST api/v1/dialogues/<uuid:dialogue_id>/vetting/", "dialogue.vetted", by="expert")
def _(stage):
    panel(stage.campaign, 1, experts_per_dialogue=1)
    person(stage.campaign, "expert", Role.EXPERT)
    dialogue = closed_dialogue(stage.campaign, stage.person("tester"))
    return f"/api/v1/dialogues/{dialogue.pk}/vetting/", dict.fromkeys(Vetting.Question.values, True)


@tries("POST api/v1/dialogues/<uuid:dialogue_id>/review/", "scores.handed_in", by="reviewer")
def _(stage):
    return f"/api/v1/dialogues/{stage.to_score().pk}/review/", {"ratings": SCORES}


@tries("POST api/v1/dialogues/<uuid:dialogue_id>/review/", "scores.handed_in", by="tester")
def _(stage):
    dialogue = closed_dialogue(stage.campaign, stage.person("tester"))
    return f"/api/v1/dialogues/{dialogue.pk}/review/", {"ratings": SCORES}


@tries("POST api/v1/dialogues/<uuid:dialogue_id>/review/undo/", "scores.undone", by="reviewer")
def _(stage):
    return f"/api/v1/dialogues/{stage.scored().pk}/review/undo/", {"version": 1}


@tries("POST api/v1/dialogues/<uuid:dialogue_id>/review/revision/", "revision.asked", by="reviewer")
def _(stage):
    return f"/api/v1/dialogues/{stage.scored().pk}/review/revision/", {"reason": "mixed up"}


@tries("POST api/v1/revision-requests/<int:request_id>/", "revision.granted")
def _(stage):
    dialogue, reviewer = stage.scored(), stage.person("reviewer")
    asked = request_revision(dialogue=dialogue, reviewer=reviewer, reason="mixed up", at=stage.now)
    return f"/api/v1/revision-requests/{asked.pk}/", {"granted": True}


@tries("POST api/v1/dialogues/<uuid:dialogue_id>/remark/", "remark.made", by="reviewer")
def _(stage):
    return f"/api/v1/dialogues/{stage.to_score().pk}/remark/", {"kind": "cannot_judge"}


@tries("POST api/v1/campaigns/<slug:slug>/problems/<int:problem_id>/settle/", "problem.settled")
def _(stage):
    dialogue, tester = stage.fixture("dialogue"), stage.person("tester")
    problem = report_problem(dialogue=dialogue, person=tester, turn=None, text="slow", at=stage.now)
    return f"/api/v1/campaigns/small/problems/{problem.pk}/settle/", {}
