"""The page that puts programs beside people: by the ledger, with the sentence what it means, and for organizers alone."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import ApiToken, Person
from campaigns.models import Assignment, Campaign
from dialogues.actions import open_dialogue
from simulation.actions import add_program, note_begun, note_call
from simulation.boards import meaning_of, people_and_programs
from simulation.comparing import Agreement, Verdict
from tests.leaderboards.played import WAYS, played, talk_through
from tests.simulation.test_actions import AT, MANNER, given
from tests.test_contest_queries import MOST

pytestmark = pytest.mark.django_db


@pytest.fixture
def both():
    """The example of SMP2018, in which people and a program talked in every way."""
    campaign = played("smp2018")
    program = add_program(campaign=campaign, username="model-a", by=None, at=AT)
    for entry in campaign.entries.order_by("pk"):
        for number, way in enumerate(WAYS):
            talk_through(campaign, entry, number, way, tester=program)
    return campaign


def test_both_stand_beside_each_other_and_nothing_that_is_void_or_open(both, client):
    found = people_and_programs(both)
    for row in found.systems:
        # Three closed their one part as finished, one was lost by its bot; one is open, one void.
        assert (row.people.n, row.programs.n) == (4, 4)
        assert row.people.completion == row.programs.completion == 0.75
        assert row.difference.mean_turns == 0
    assert {one.verdict for one in found.agreements} <= set(Verdict)
    organizer = both.roles.filter(role="organizer").first().person
    client.force_login(organizer)
    with CaptureQueriesContext(connection) as asked:
        page = client.get(reverse("programs", args=[both.slug])).content.decode()
    assert len(asked) <= MOST["programs"]
    for entry in both.entries.all():
        assert entry.alias in page
    with CaptureQueriesContext(connection) as asked:
        told = client.get(reverse("api-programs", args=[both.slug])).json()
    assert len(asked) <= MOST["api-programs"]
    assert told["counts"] == "apart"
    assert {one["system"] for one in told["systems"]} == set(both.entries.values_list("key", flat=True))
    assert all(one["meaning"] for one in told["agreements"])


def test_rehearsals_are_named_and_in_no_figure(campaign, organizer, client):
    program = add_program(campaign=campaign, username="model-a", by=None, at=AT)
    dialogue = open_dialogue(assignment=given(campaign, program, 1)[0], at=AT)
    row = note_begun(dialogue=dialogue, manner=MANNER, prompt_digest="d", at=AT)
    note_call(row=row, tokens_in=5, tokens_out=2, cost=1, is_bad=False)
    type(row).objects.update(is_rehearsal=True)
    client.force_login(organizer)
    told = client.get(reverse("api-programs", args=[campaign.slug])).json()
    assert told["systems"] == []
    (listed,) = told["programs"]
    assert (listed["name"], listed["is_at_work"], listed["dialogues"], listed["waiting"]) == ("model-a", True, 1, 0)
    assert [(one["dialogues"], one["rehearsed"], one["calls"]) for one in listed["models"]] == [(1, 1, 1)]
    page = client.get(reverse("programs", args=[campaign.slug])).content.decode()
    assert f'primary" href="{reverse("models", args=[campaign.slug])}"' in page


def test_an_organizer_makes_a_program_and_stops_it(campaign, organizer, client):
    client.force_login(organizer)
    page, api = reverse("programs", args=[campaign.slug]), reverse("api-programs", args=[campaign.slug])
    client.post(reverse("make-program", args=[campaign.slug]), {"name": "model-b"})
    program = Person.objects.get(username="model-b", kind="program")
    given(campaign, program, 3)
    ApiToken.objects.create(user=program, campaign=campaign.slug)
    assert "model-b" in client.get(page).content.decode()
    assert client.post(reverse("end-program", args=[campaign.slug, program.pk])).status_code == 302
    assert not program.campaign_roles.exists()
    assert not Assignment.with_programs.filter(tester=program).exists()
    assert not ApiToken.objects.filter(user=program).exists()
    assert client.post(api, {"name": "model-c"}, content_type="application/json").status_code == 201
    other = Person.objects.get(username="model-c")
    where = reverse("api-program", args=[campaign.slug, other.pk])
    assert [client.delete(where).status_code for _ in range(2)] == [204, 404]
    again = client.post(api, {"name": "model-c"}, content_type="application/json")
    assert (again.status_code, campaign.roles.filter(person=other).count()) == (201, 1)


def test_an_organizer_takes_over_no_account_that_is_not_of_the_campaign(campaign, organizer, client, tester, outsider):
    Person.objects.create(username="elsewhere", kind="program")
    client.force_login(organizer)
    api = reverse("api-programs", args=[campaign.slug])
    for name, code in (
        ("elsewhere", "name_taken"),
        (outsider.username, "name_taken"),
        (tester.username, "not_a_program"),
    ):
        refused = client.post(api, {"name": name}, content_type="application/json")
        assert (refused.status_code, refused.json()["code"]) == (409, code)
    client.post(reverse("make-program", args=[campaign.slug]), {"name": "a b"})
    assert not campaign.roles.filter(person__kind="program").exists()


def test_testers_and_outsiders_find_nothing(campaign, tester, outsider, client):
    for person in (tester, outsider):
        client.force_login(person)
        assert client.get(reverse("programs", args=[campaign.slug])).status_code in (403, 404)


def test_programs_are_marked_in_lists_and_left_out_without_being_asked_for(both, client):
    client.force_login(both.roles.filter(role="organizer").first().person)
    listed = f"/api/v1/campaigns/{both.slug}/dialogues/"
    kinds = {one["tester_kind"] for one in client.get(listed).json()["results"]}
    marked = {one["tester_kind"] for one in client.get(f"{listed}?programs=1").json()["results"]}
    assert (kinds, marked) == ({Person.Kind.PERSON}, {Person.Kind.PROGRAM})
    people = client.get(f"/api/v1/campaigns/{both.slug}/people/").json()["people"]
    assert {one["username"] for one in people if one["kind"] == "program"} == {"model-a"}


@pytest.mark.parametrize("verdict", Verdict)
def test_each_verdict_has_its_sentence(verdict):
    agreement = Agreement("completion", 5, 9, 40, 0.4, (0.1, 0.8), 0.5, (0.1, 0.9), 0.1, 0.0, None, verdict)
    said = {meaning_of(agreement), meaning_of(Agreement("mean_turns", 5, 9, 40, *[None] * 7, verdict))}
    assert len(said) == 2
    assert Campaign.objects.count() == 0


def test_the_dry_run_shows_the_prompts_and_their_cost_and_asks_nothing(campaign, organizer, client):
    endpoint = campaign.model_endpoints.create(
        key="m", url="https://models.example/v1", model="tiny", price_in=1, price_out=2, currency="EUR", declared_at=AT
    )
    client.force_login(organizer)
    told = client.get(reverse("api-dry-run", args=[campaign.slug, endpoint.pk])).json()
    assert [one["scenario"] for one in told] == [one.key for one in campaign.scenarios.tested()]
    page = client.get(reverse("dry-run", args=[campaign.slug, endpoint.pk])).content.decode()
    for one in told:
        assert one["digest"] in page
        assert one["request"]["model"] == "tiny"
        most = one["at_most"]
        assert Decimal(most["cost"]) == (most["tokens_in"] + 2 * Decimal(most["tokens_out"])) / 1_000_000
    assert not endpoint.calls.exists()
    assert f"/programs/dry-run/{endpoint.pk}/" in client.get(reverse("programs", args=[campaign.slug])).content.decode()


def test_the_dry_run_shows_the_first_scenarios_and_how_many_are_left_out(campaign, organizer, client, monkeypatch):
    endpoint = campaign.model_endpoints.create(key="m", url="https://models.example/v1", model="tiny", declared_at=AT)
    campaign.scenarios.create(key="another", position=99).subtasks.create(position=1, kind="flight", turn_cap=5)
    monkeypatch.setattr("simulation.views.DRY_RUN_SCENARIOS", 1)
    client.force_login(organizer)
    told = [client.get(reverse("api-dry-run", args=[campaign.slug, endpoint.pk]), {"page": n}).json() for n in (1, 2)]
    assert [one["scenario"] for page in told for one in page] == [one.key for one in campaign.scenarios.tested()[:2]]
    page = client.get(reverse("dry-run", args=[campaign.slug, endpoint.pk])).content.decode()
    assert page.count('<details class="box"') == 1
    assert f"simulate {campaign.slug} --model m --dry-run" in page
    campaign.scenarios.all().delete()
    page = client.get(reverse("dry-run", args=[campaign.slug, endpoint.pk])).content.decode()
    assert f'primary" href="{reverse("scenario-new", args=[campaign.slug])}"' in page
