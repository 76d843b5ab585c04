"""Every route that changes something leaves exactly one line of the trail, or is named here with the reason why it leaves none.

The routes come from the URL resolver: a new one fails here until it has a row in `TRIES` or in `SILENT`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from accounts.actions import issue_token
from accounts.models import LogIn, Person
from accounts.passwords.actions import make_password_link
from automatic_tasks.actions import load_tasks
from automatic_tasks.models import Run, RunState
from automatic_tasks.task_file import read_task_file
from campaigns.actions import pause_bot
from campaigns.models import Campaign, Role
from leaderboards.actions import refresh_leaderboard
from leaderboards.publication.actions.ordering import order_freeze
from organizing.actions import store_metrics
from participants.models import Team
from registration.actions.inviting import invite
from registration.invitation_lines import Invitee
from reviews.actions.closing import close_panel
from reviews.actions.deciding import void_dialogue
from reviews.actions.placing import draw_review_places
from reviews.actions.revising import request_revision
from testing_console.actions.reports import report_problem
from testing_console.models import Dialogue
from tests.leaderboards.publication.conftest import add_records, record
from tests.publishing import publish_now, snapshot_of
from tests.reviews.conftest import SCORES, closed_dialogue, panel, person, submit
from tests.scoring.conftest import content_of
from tests.test_access import ROUTES, RUNS, address_of, run
from tests.trail import lines_of

__all__ = ["run"]
CHANGING = {"POST", "PUT", "PATCH", "DELETE"}
# Routes about a dialogue are given its address by their row.
NO_DIALOGUE = SimpleNamespace(pk="", assignment_id="", assignment=SimpleNamespace(entry_id=""))
PASSWORD, OTHER_PASSWORD = "a long enough one", "another long one"

# Routes that change something and leave no line, each with the reason.
SILENT = {
    "PUT login/": "Django's page takes it for a POST.",
    "PUT account/password/": "Django's page takes it for a POST.",
    "POST password/forgotten/": "The link is made and noted on the thread that sends mails.",
    "POST preferences/": "How one's own pages look.",
    "POST campaigns/<slug:slug>/testing/open/": "The ledger is the record of a dialogue.",
    "POST assignments/<int:assignment_id>/open/": "The ledger is the record of a dialogue.",
    "POST api/v1/dialogues/": "The ledger is the record of a dialogue.",
    "PATCH api/v1/dialogues/<uuid:dialogue_id>/items/": "What a tester ticks for themselves.",
    "POST api/v1/dialogues/<uuid:dialogue_id>/problems/": "A report to the organizers, with its time and its author.",
    "PUT api/v1/dialogues/<uuid:dialogue_id>/flags/<int:number>/": "A mark for the organizers.",
    "DELETE api/v1/dialogues/<uuid:dialogue_id>/flags/<int:number>/": "A mark for the organizers.",
    "PATCH api/v1/dialogues/<uuid:dialogue_id>/review/": "A draft: nothing counts before it is handed in.",
    "POST api/v1/reviews/next/": "A reservation that ends by itself.",
    "POST campaigns/<slug:slug>/faults/preview/": "A computation: nothing changes.",
}


class Stage:
    """The small campaign with whatever a route needs; a try builds only what it asks for."""

    def __init__(self, campaign: Campaign, request: pytest.FixtureRequest) -> None:
        self.campaign = campaign
        self.request = request
        self.now = timezone.now()

    def fixture(self, name: str) -> Any:
        return self.request.getfixturevalue(name)

    def person(self, name: str) -> Person:
        return Person.objects.get(username=name)

    @property
    def alias(self) -> str:
        return self.campaign.entries.get().alias

    def with_plan(self) -> None:
        """Testers no longer choose freely: there is a plan to draw."""
        Campaign.objects.filter(pk=self.campaign.pk).update(free_choice=False)
        self.campaign.refresh_from_db()

    def scored(self) -> Any:
        """A dialogue that a panel of two has scored once, the other reviewer being gone."""
        reviewer, other = panel(self.campaign, 2)
        self.campaign.roles.filter(person=other).delete()
        dialogue = closed_dialogue(self.campaign, self.person("tester"))
        draw_review_places(campaign=self.campaign, at=self.now)
        submit(dialogue, reviewer, at=self.now)
        return dialogue

    def to_score(self) -> Any:
        panel(self.campaign, 1)
        dialogue = closed_dialogue(self.campaign, self.person("tester"))
        draw_review_places(campaign=self.campaign, at=self.now)
        return dialogue

    def voided(self) -> Any:
        return (
            void_dialogue(dialogue=self.scored(), by=self.person("organizer"), because="broken", at=self.now)
            and Dialogue.objects.get()
        )

    def assignment(self) -> Any:
        """One of the tester that has not begun, with somebody else who tests."""
        person(self.campaign, "substitute", Role.TESTER)
        return self.campaign.assignments.create(
            tester=self.person("tester"),
            entry=self.campaign.entries.get(),
            scenario=self.campaign.scenarios.get(),
            position=1,
        )

    def other_log_in(self) -> Any:
        """The organizer is logged in somewhere else."""
        organizer = self.person("organizer")
        organizer.set_password(PASSWORD)
        organizer.save()
        Client().post("/login/", {"username": "organizer", "password": PASSWORD})
        return LogIn.objects.get(person=organizer)

    def invitation(self) -> str:
        """The token of an invitation to review."""
        invitee = Invitee(line=1, name="Li", email="", roles=(Role.REVIEWER,), team="")
        (invited,) = invite(campaign=self.campaign, invitees=[invitee], by=None, at=self.now)
        return invited.token

    def with_records(self) -> None:
        """A leaderboard that can be frozen."""
        add_records(self.campaign, *(record("Team Alpha", number, True, 2) for number in range(1, 5)))
        refresh_leaderboard(campaign=self.campaign, at=self.now)

    def service_task(self) -> None:
        """The automatic task calls a service; the files of its type are of no use to it."""
        text = 'campaign = "small"\n[[tasks]]\nkey = "quality"\ntype = "intent-classification"\nname = "x"\n'
        text += 'gold = "intent-classification/gold.jsonl"\n'
        load_tasks(file=read_task_file("tasks.toml", text.encode()), content_of=content_of)


@dataclass(frozen=True)
class Try:
    """One way to use a route with success: who does it, which act it is, and what is sent where."""

    route: str
    by: str
    act: str
    prepare: Callable[[Stage], tuple[str, dict[str, Any]]]

    def __str__(self) -> str:
        return f"{self.route} {self.act}"


TRIES: dict[str, list[Try]] = {}


def tries(route: str, act: str, by: str = "organizer"):
    """Adds a way to use the route; the function prepares the stage and gives the address, "" for the usual, and what is sent."""

    def add(prepare):
        TRIES.setdefault(route, []).append(Try(route, by, act, prepare))
        return prepare

    return add


# Accounts


@tries("POST login/", "login.done", by="")
def _(stage):
    Person.objects.create_user("ann", password=PASSWORD)
    return "", {"username": "ann", "password": PASSWORD}


@tries("POST logout/", "login.ended")
def _(stage):
    return "", {}


@tries("POST account/password/", "password.changed")
def _(stage):
    return "", {"old_password": PASSWORD, "new_password1": OTHER_PASSWORD, "new_password2": OTHER_PASSWORD}


@tries("POST password/set/<str:token>/", "account.password_set", by="")
def _(stage):
    token = make_password_link(person=stage.person("tester"), by=None, at=stage.now)
    return f"/password/set/{token}/", {"new_password1": OTHER_PASSWORD, "new_password2": OTHER_PASSWORD}


@tries("POST account/tokens/new/", "token.issued")
def _(stage):
    return "", {}


@tries("POST account/tokens/revoke/", "token.revoked")
def _(stage):
    return "", {"token_key": issue_token(person=stage.person("organizer"))[:15]}


@tries("POST account/sessions/<int:log_in_id>/end/", "session.ended")
def _(stage):
    return f"/account/sessions/{stage.other_log_in().pk}/end/", {}


@tries("POST account/sessions/end/", "sessions.ended")
def _(stage):
    stage.other_log_in()
    return "", {}


@tries("DELETE api/v1/account/sessions/<int:log_in_id>/", "session.ended")
def _(stage):
    return f"/api/v1/account/sessions/{stage.other_log_in().pk}/", {}


@tries("DELETE api/v1/account/sessions/", "sessions.ended")
def _(stage):
    stage.other_log_in()
    return "", {}


@tries("POST invitations/<str:token>/", "invitation.accepted", by="tester")
def _(stage):
    return f"/invitations/{stage.invitation()}/", {}


@tries("POST api/v1/invitations/<str:token>/", "invitation.accepted", by="")
def _(stage):
    return f"/api/v1/invitations/{stage.invitation()}/", {"username": "newcomer", "password": OTHER_PASSWORD}


# Plans, bots, people


@tries("POST campaigns/<slug:slug>/coverage/draw/", "plan.drawn")
def _(stage):
    stage.with_plan()
    return "", {}


@tries("POST campaigns/<slug:slug>/coverage/bot/", "bot.paused")
def _(stage):
    return "", {"bot": stage.alias, "act": "pause", "because": "slow"}


@tries("POST campaigns/<slug:slug>/coverage/bot/", "bot.resumed")
def _(stage):
    stage.with_plan()
    pause_bot(entry=stage.campaign.entries.get(), because="slow", at=stage.now)
    return "", {"bot": stage.alias, "act": "resume"}


@tries("POST campaigns/<slug:slug>/coverage/bot/", "bot.withdrawn")
def _(stage):
    stage.with_plan()
    return "", {"bot": stage.alias, "act": "withdraw", "because": "asked for it"}


@tries("POST campaigns/<slug:slug>/coverage/dismiss/", "person.dismissed")
def _(stage):
    stage.with_plan()
    return "", {"person": "tester"}


@tries("POST campaigns/<slug:slug>/correlations/file/", "metrics.stored")
def _(stage):
    return "", {"file": SimpleUploadedFile("a.csv", b"system,F1\na,1\n")}


@tries("POST campaigns/<slug:slug>/correlations/file/", "metrics.removed")
def _(stage):
    store_metrics(campaign=stage.campaign, name="a.csv", content=b"system,F1\na,1\n", at=stage.now)
    return "", {"act": "remove"}


@tries("POST campaigns/<slug:slug>/assignments/<int:assignment_id>/", "assignment.reassigned")
def _(stage):
    return f"/campaigns/small/assignments/{stage.assignment().pk}/", {"tester": "substitute", "because": "ill"}


@tries("POST api/v1/campaigns/<slug:slug>/assignments/<int:assignment_id>/", "assignment.reassigned")
def _(stage):
    return f"/api/v1/campaigns/small/assignments/{stage.assignment().pk}/", {"tester": "substitute", "because": "ill"}


# Dialogues and scores


def decides(act, name, prepare):
    """A decision about a dialogue: by its page, and by the API."""
    for root in ("", "api/v1/"):

        def sent(stage, root=root):
            dialogue = prepare(stage)
            return f"/{root}campaigns/small/dialogues/{dialogue.pk}/{name}/", {"because": "the organizer's reason"}

        tries(f"POST {root}campaigns/<slug:slug>/dialogues/<uuid:dialogue_id>/<slug:act>/", act)(sent)


decides("dialogue.ended", "end", lambda stage: stage.fixture("dialogue"))
decides("dialogue.voided", "void", lambda stage: stage.scored())
decides("dialogue.restored", "restore", lambda stage: stage.voided())


@tries("POST campaigns/<slug:slug>/problems/<int:problem_id>/settle/", "problem.settled")
def _(stage):
    dialogue, tester = stage.fixture("dialogue"), stage.person("tester")
    problem = report_problem(dialogue=dialogue, person=tester, turn=None, text="slow", at=stage.now)
    return f"/campaigns/small/problems/{problem.pk}/settle/", {}


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


@tries("POST api/v1/dialogues/<uuid:dialogue_id>/vetting/", "dialogue.vetted", by="expert")
def _(stage):
    panel(stage.campaign, 1, experts_per_dialogue=1)
    person(stage.campaign, "expert", Role.EXPERT)
    dialogue = closed_dialogue(stage.campaign, stage.person("tester"))
    return f"/api/v1/dialogues/{dialogue.pk}/vetting/", {"accepted": True}


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


# Leaderboards


@tries("POST campaigns/<slug:slug>/publication/freeze/", "freeze.ordered")
def _(stage):
    stage.with_records()
    return "", {}


@tries("POST campaigns/<slug:slug>/publication/forget/", "freeze.dropped")
def _(stage):
    stage.with_records()
    order_freeze(campaign=stage.campaign, hides_teams=False, by=stage.person("organizer"), at=stage.now)
    return "", {}


@tries("POST campaigns/<slug:slug>/publication/<int:number>/publish/", "board.published")
def _(stage):
    snapshot_of(stage.campaign)
    return "", {}


@tries("POST campaigns/<slug:slug>/publication/<int:number>/withdraw/", "board.withdrawn")
def _(stage):
    publish_now(stage.campaign)
    return "", {"because": "a wrong name"}


@tries("POST campaigns/<slug:slug>/faults/change/", "faults.changed")
def _(stage):
    return "", {"failed_turns": "charged", "broken_dialogues": "counted"}


# Automatic tasks


@tries("POST campaigns/<slug:slug>/tasks/<slug:key>/change/", "task.closed")
def _(stage):
    stage.fixture("run")
    return "", {"is_open": "0"}


@tries("POST campaigns/<slug:slug>/tasks/<slug:key>/start/", "baselines.started")
def _(stage):
    stage.fixture("run")
    return "", {"what": "baselines"}


@tries("POST campaigns/<slug:slug>/tasks/<slug:key>/start/", "runs.scored_again")
def _(stage):
    stage.fixture("run")
    Run.objects.update(state=RunState.SCORED)
    return "", {"what": "scored"}


@tries("POST campaigns/<slug:slug>/tasks/<slug:key>/start/", "services.called")
def _(stage):
    stage.service_task()
    team = Team.objects.get(name="Team Alpha")
    stage.campaign.automatic_tasks.get().services.create(team=team, url="http://127.0.0.1:9/")
    return "", {"what": "services"}


@tries("POST campaigns/<slug:slug>/tasks/<slug:key>/submit/", "run.handed_in", by="participant")
def _(stage):
    stage.fixture("run")
    return "", {"file": SimpleUploadedFile("run.json", (RUNS / "run.json").read_bytes())}


@tries("POST campaigns/<slug:slug>/tasks/<slug:key>/service/", "service.registered", by="participant")
def _(stage):
    stage.service_task()
    return "", {"url": "http://127.0.0.1:9/"}


@tries("POST campaigns/<slug:slug>/runs/<uuid:run_id>/choose/", "run.chosen", by="participant")
def _(stage):
    return f"/campaigns/small/runs/{stage.fixture('run').pk}/choose/", {}


@tries("POST campaigns/<slug:slug>/runs/<uuid:run_id>/again/", "run.scored_again")
def _(stage):
    found = stage.fixture("run")
    Run.objects.update(state=RunState.SCORED)
    return f"/campaigns/small/runs/{found.pk}/again/", {}


@tries("POST api/v1/campaigns/<slug:slug>/tasks/<slug:key>/runs/", "run.handed_in", by="participant")
def _(stage):
    stage.fixture("run")
    return "", {"file": SimpleUploadedFile("run.json", (RUNS / "run.json").read_bytes())}


# What is tried


def methods_of(callback) -> set[str]:
    """The methods with which a route changes something: those of its class, or those that its decorator names."""
    if cls := getattr(callback, "cls", None) or getattr(callback, "view_class", None):
        return {method for method in CHANGING if hasattr(cls, method.lower())}
    while callback is not None:
        free = callback.__code__.co_freevars
        if "request_method_list" in free:
            return CHANGING.intersection(callback.__closure__[free.index("request_method_list")].cell_contents)
        callback = getattr(callback, "__wrapped__", None)
    raise AssertionError("names its methods nowhere (django.views.decorators.http)")


CHANGING_ROUTES = sorted(f"{method} {path}" for path, callback in ROUTES for method in methods_of(callback))


@pytest.mark.parametrize("route", CHANGING_ROUTES)
def test_every_route_that_changes_something_is_tried_here(route):
    assert route in TRIES or route in SILENT, (
        f"{route}: say in tests/test_trail.py how it is used, or why it leaves no line"
    )


def test_no_row_is_left_over():
    known = set(CHANGING_ROUTES)
    assert TRIES.keys() | SILENT.keys() == known
    assert not TRIES.keys() & SILENT.keys()


def test_the_look_at_the_routes_sees_methods_of_pages_and_of_the_api():
    assert "POST campaigns/<slug:slug>/coverage/draw/" in CHANGING_ROUTES
    assert "PATCH api/v1/dialogues/<uuid:dialogue_id>/review/" in CHANGING_ROUTES
    assert not any(route.endswith(" campaigns/<slug:slug>/coverage/") for route in CHANGING_ROUTES)


@pytest.fixture
def stage(campaign, request, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    return Stage(campaign, request)


EVERY_TRY = [one for ways in TRIES.values() for one in ways]


@pytest.mark.django_db
@pytest.mark.parametrize("one", EVERY_TRY, ids=str)
def test_used_once_it_leaves_exactly_one_line(one, stage):
    address, sent = one.prepare(stage)
    method, path = one.route.split(" ")
    client = Client(raise_request_exception=True)
    if one.by:
        someone = stage.person(one.by)
        if not someone.has_usable_password():
            someone.set_password(PASSWORD)
            someone.save()
        client.force_login(someone)
    is_json = path.startswith("api/") and "file" not in sent
    kind = {"content_type": "application/json"} if is_json else {}
    with lines_of() as lines:
        answer = getattr(client, method.lower())(address or address_of(path, NO_DIALOGUE), sent, **kind)
    assert answer.status_code < 400, answer.content.decode()[:2000]
    assert [line.act for line in lines] == [one.act]
    assert lines[0].person == one.by or not one.by
