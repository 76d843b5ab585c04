"""Whatever stands in the place of an id in a path, of pages and API: 404, never a 500, never what is another's.

Generated from the routes: a new path argument is forged as soon as it exists.
"""

import re
from urllib.parse import quote

import pytest
from django.core.files.base import ContentFile
from django.utils import timezone

from accounts.models import ApiToken, Person
from automatic_tasks.actions import load_tasks, submit_file_run
from automatic_tasks.task_file import read_task_file
from campaigns.actions import load_campaign
from campaigns.models import Role
from conformance.models import Check
from dialogues.actions import open_chosen_dialogue
from dialogues.actions.opening import open_practice
from dialogues.actions.reports import report_problem
from participants.models import Team
from registration.actions import ask_team, upload_package
from reviews.models import RevisionRequest
from tests.conftest import SMALL_CAMPAIGN, spec_of
from tests.registration.conftest import apply
from tests.routes import ACCESS, ROUTES, TAKEN
from tests.world import RUNS, asked, client_of, joins, noted_client_of, values_of

pytestmark = pytest.mark.usefixtures("db")
ARGUMENT = re.compile(r"<(\w+):(\w+)>")
# Leads on to where the file is now, whatever stands in the path.
MOVED = {"campaigns/<slug:slug>/leaderboard/<int:number>/ranks.svg"}
WITH_ARGUMENTS = [path for path, _ in ROUTES if ARGUMENT.search(path) and path not in MOVED]
CANARY = "只有别人看得到"
FORGED = [
    "00000000-0000-4000-8000-000000000000",
    "not-a-uuid",
    "0",
    "987654321",
    "2147483648",
    "9223372036854775808",
    "9" * 25,
    "-1",
    "1.5",
    "1e3",
    "0x1",
    "\x00",
    "a\x00b",
    "%00",
    "..",
    "../..",
    "%2e%2e",
    "１２",
    "١٢",
    "一",
    "é",
    "null",
    "None",
    "true",
    "' OR 1=1 --",
    "<script>",
    "a" * 3000,
    " ",
]


@pytest.fixture
def others(campaign):
    """A dialogue of another campaign, in which nobody of the first takes part."""
    text = SMALL_CAMPAIGN.replace('"small"', '"other"').replace("Team Alpha", CANARY).replace("小评测", CANARY)
    for name in ("organizer", "tester", "reviewer", "participant"):
        text = text.replace(f'username = "{name}"', f'username = "other-{name}"')
    other, _ = load_campaign(spec=spec_of(text.replace("flight-then-hotel", "case-of-others")))
    own, people = other.entries.get(), other.roles.get(role=Role.TESTER)
    return open_chosen_dialogue(
        campaign=other, tester=people.person, entry=own, scenario=other.scenarios.get(), at=timezone.now()
    )


@pytest.fixture
def theirs(others):
    """What stands in a path for each kind of object, all of them the other campaign's or the other tester's."""
    campaign, tester, at = others.assignment.campaign, others.tester, timezone.now()
    campaign.takes_applications = True
    campaign.save()
    review = others.reviews.create(reviewer=tester, submitted_at=at)
    package = upload_package(
        campaign=campaign, file_name="a.zip", content=ContentFile(b"a"), about=CANARY, by=tester, at=at
    )
    problem = report_problem(dialogue=others, person=tester, turn=None, text=CANARY, at=at)
    client_of(tester).get("/")
    application = apply(campaign, Person.objects.create_user("applicant"))
    # Whose campaign takes applications is open to everybody.
    campaign.takes_applications = False
    campaign.save()
    return values_of(others, run_of(campaign, Team.objects.get(name=CANARY))) | {
        "<slug:slug>": "other",
        "<slug:scenario>": "case-of-others",
        "<slug:key>": "theirs",
        # Numbers of snapshots count within a campaign.
        "<int:number>": str(campaign.snapshots.create(number=7, made_at=at, hides_teams=False, board="{}").number),
        # As dialogues do within the bundle of one.
        "<int:dialogue_number>": "987",
        # As do pictures within a dialogue.
        "<str:picture_name>": "f" * 64 + ".png",
        # As do versions of descriptions.
        "<int:version>": str(campaign.descriptions.create(version=8, written_at=at).version),
        "<int:package_id>": str(package.pk),
        "<int:application_id>": str(application.pk),
        "<int:team_request_id>": str(ask_team(campaign=campaign, name="Team Gamma", by=tester, at=at).pk),
        "<int:problem_id>": str(problem.pk),
        "<int:objection_id>": str(
            others.objections.create(against="scores", text=CANARY, made_by=tester, made_at=at).pk
        ),
        "<int:request_id>": str(RevisionRequest.objects.create(review=review, reason=CANARY, asked_at=at).pk),
        "<int:log_in_id>": str(tester.log_ins.get().pk),
        "<slug:token_key>": ApiToken.objects.create(user=tester)[0].token_key,
    }


def run_of(campaign, team):
    """A run of the team for a task that the campaign alone has."""
    text = f'campaign = "{campaign.slug}"\n[[tasks]]\nkey = "theirs"\ntype = "dialogue-quality"\nname = "x"\ngold = "gold.json"\n'
    load_tasks(file=read_task_file("tasks.toml", text.encode()), content_of=lambda path: (RUNS / path).read_bytes())
    return run_of_team(campaign.automatic_tasks.get(), team)


def run_of_team(task, team):
    return submit_file_run(
        task=task,
        team=team,
        person=None,
        content=(RUNS / "run.json").read_bytes(),
        file_name="run.json",
        at=timezone.now(),
    )


@pytest.fixture
def everybody(campaign, dialogue, run, tester):
    """Somebody who may do everything in the one campaign, and nothing in the other."""
    for role in Role:
        campaign.roles.get_or_create(person=tester, role=role)
    joins(tester, dialogue, run)
    return noted_client_of(tester)


def tries(path, own, foreign):
    """Method and address with one argument forged, the others being real."""
    for converter, name in ARGUMENT.findall(path):
        argument = f"<{converter}:{name}>"
        theirs = [] if argument in WORDS or path in OPEN_TO_ALL else [foreign[argument]]
        # Routes with roles look a campaign up in the same way, before anything else.
        is_alike = name == "slug" and ACCESS[path].kind == "roles"
        absent = ABSENT[converter] if name != "slug" else []
        tried = TAKEN[path][:1] if is_alike else TAKEN[path]
        for value in [*theirs, *absent]:
            address = path.replace(argument, quote(value, safe=""))
            for other, real in own.items():
                address = address.replace(other, real)
            for method in tried if value in {*theirs, *absent[:1]} else tried[:1]:
                yield method, "/" + address


# What a view is given that looks like an id: it is read by the converter, and belongs to nothing.
ABSENT = {
    "uuid": ["00000000-0000-4000-8000-000000000000"],
    "int": ["9223372036854775808"],
    "slug": ["no-such-thing", "a" * 3000],
    "str": ["no-such-thing", "a\x00b", "%00", "é", "a" * 3000],
}
# Words that every campaign has; all other arguments are ids, of which the other campaign has one.
WORDS = {
    "<slug:what>",
    "<slug:format>",
    "<slug:split>",
    "<slug:figure>",
    "<slug:table>",
    "<slug:part>",
    "<slug:act>",
    "<slug:type>",
    "<str:token>",
}
# Kinds of which the first campaign has none, so that any number leads to the other's.
OF_THEM_ALONE = {
    "<int:address_id>",
    "<int:team_request_id>",
    "<int:log_in_id>",
    "<int:application_id>",
    "<int:problem_id>",
    "<int:objection_id>",
    "<int:request_id>",
}
# Open to whoever has the id: that it is green is all that it tells.
OPEN_TO_ALL = {"checks/<uuid:check_id>/badge.svg", "service-checks/<uuid:service_check_id>/badge.svg"}


def test_forged_ids_are_404_by_every_route(everybody, run, frozen, dialogue, theirs, settings):
    settings.API_RATE = 0
    own, wrong = values_of(dialogue, run), []
    same = {name for name, value in theirs.items() if own[name] == value}
    assert same <= WORDS | OF_THEM_ALONE, "the other campaign has its own of each kind"
    for path in WITH_ARGUMENTS:
        for method, address in tries(path, own, theirs):
            answer = asked(everybody, method, address)
            if not is_refused(answer) or CANARY.encode() in answer.content:
                wrong.append(f"{method} {address[:150]}: {answer.status_code}")
    assert not wrong, "\n".join(wrong)


def test_what_is_no_id_at_all_is_404_or_leads_to_the_login(client):
    for value in FORGED:
        for path in ("/dialogues/{}/", "/campaigns/{}/", "/api/v1/dialogues/{}/", "/api/v1/campaigns/{}/wall/"):
            answer = client.get(path.format(quote(value, safe="")))
            assert answer.status_code in {302, 400, 401, 404}, f"{path} with {value!r}: {answer.status_code}"


@pytest.fixture
def rival(campaign, dialogue):
    """Another team in the same campaign: what stands in a path for each kind of object that is a team's own."""
    team = Team.objects.create(name="Team Rival")
    entry = campaign.entries.create(
        bot=team.bots.create(name=CANARY), key="their-own", alias="Q7", url="http://127.0.0.1:9/", protocol="huace/1"
    )
    person = Person.objects.create_user("rival")
    campaign.roles.create(person=person, role=Role.PARTICIPANT)
    campaign.team_members.create(person=person, team=team)
    scenario = campaign.scenarios.create(key="try-out", position=9, is_practice=True)
    scenario.subtasks.create(position=1, kind="flight", turn_cap=5)
    practice = open_practice(entry=entry, scenario=scenario, person=person, at=timezone.now())
    return {
        "<int:entry_id>": str(entry.pk),
        "<uuid:check_id>": str(Check.objects.create(entry=entry, asked_at=timezone.now(), protocol="huace/1").pk),
        "<uuid:dialogue_id>": str(practice.pk),
    }


def test_what_is_another_teams_is_404_to_a_participant_by_every_route(
    participant, run, rival, frozen, dialogue, settings
):
    settings.API_RATE = 0
    own = values_of(dialogue, run)
    rivals = rival | {"<uuid:run_id>": str(run_of_team(run.task, Team.objects.get(name="Team Rival")).pk)}
    client, wrong, n = noted_client_of(participant), [], 0
    for path in WITH_ARGUMENTS:
        for argument in set(rivals).intersection(f"<{one}:{name}>" for one, name in ARGUMENT.findall(path)):
            address = "/" + path.replace(argument, rivals[argument])
            for name, value in own.items():
                address = address.replace(name, value)
            for method in TAKEN[path] if path not in OPEN_TO_ALL else ():
                answer, n = asked(client, method, address), n + 1
                if answer.status_code not in {403, 404, 405} or CANARY.encode() in answer.content:
                    wrong.append(f"{method} {address}: {answer.status_code}")
    assert not wrong, "\n".join(wrong)
    assert n > 50


def is_refused(answer) -> bool:
    if answer.status_code in {400, 404, 405}:
        return True
    return answer.status_code == 302 and answer.headers["Location"].startswith("/login/")
