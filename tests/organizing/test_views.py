"""The page of the coverage, the preview of a drawing, and what an organizer does there."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts.models import Person
from audit.models import TrailLine
from campaigns.actions import draw_assignments, pause_bot
from campaigns.actions.leaving import leave_as_tester
from campaigns.models import Assignment
from dialogues.actions import open_dialogue
from dialogues.models import Dialogue
from dialogues.queries import void_assignments
from organizing.survey import survey_of
from reviews.actions.closing import close_panel
from reviews.actions.placing import draw_review_places
from reviews.actions.submitting import add_remark
from tests.campaigns.test_assigning import drawn
from tests.reviews.conftest import panel, submit

__all__ = ["drawn"]
pytestmark = pytest.mark.django_db
COVERAGE = "/campaigns/small/coverage/"
ACTS = "/campaigns/small/teams/bots/act/"
DRAWING = "/api/v1/campaigns/small/drawing/"


@pytest.fixture
def organizing(drawn):
    Person.objects.update(language="en")
    client = Client()
    client.force_login(Person.objects.get(username="organizer"))
    return client


def open_first(campaign, tester="tester"):
    assignment = campaign.assignments.filter(tester__username=tester).in_order().first()
    return open_dialogue(assignment=assignment, at=timezone.now())


def close(dialogue, status="completed"):
    Dialogue.objects.filter(pk=dialogue.pk).update(status=status, closed_at=timezone.now())


def alias_of(campaign, key):
    return campaign.entries.get(key=key).alias


def page_of(client, address):
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_cell_shows_what_is_done_of_what_is_needed(drawn, organizing):
    close(open_first(drawn))
    shown = page_of(organizing, COVERAGE)
    assert "1 of 32 dialogues done." in shown
    assert "1/2" in shown
    assert "drawing would change nothing" in shown


def test_the_page_asks_the_database_no_more_often_for_more_assignments(drawn, organizing, django_assert_num_queries):
    close(open_first(drawn))
    organizing.get(COVERAGE)
    with django_assert_num_queries(15):
        organizing.get(COVERAGE)
    drawn.plan = "full"
    drawn.save()
    draw_assignments(campaign=drawn)
    assert drawn.assignments.count() == 64
    with django_assert_num_queries(16):  # one more finds who was chosen
        organizing.get(f"{COVERAGE}?by=person&chosen=tester-2")


def test_holes_say_what_would_fill_them(drawn, organizing):
    drawn.assignments.filter(entry__key="b", scenario__key="s2").delete()
    close(open_first(drawn))
    shown = page_of(organizing, COVERAGE)
    assert "Drawing adds 2, takes 0 away and leaves 30." in shown
    assert "1 gap that nobody fills now" in shown
    assert "2 not drawn yet: draw" in page_of(organizing, f"{COVERAGE}?chosen={alias_of(drawn, 'b')}")


def test_the_preview_counts_per_system_and_tester_and_drawing_does_it(drawn, organizing):
    drawn.assignments.filter(entry__key="b", scenario__key="s2").delete()
    open_first(drawn)
    shown = page_of(organizing, f"{COVERAGE}draw/")
    assert "Drawing adds 2, takes 0 away and leaves 30 as they are." in shown
    assert "1 have begun and are not touched." in shown
    previewed = shown.split('name="previewed" value="')[1].split('"')[0]
    answer = organizing.post(f"{COVERAGE}draw/", {"previewed": previewed}, follow=True)
    assert "Drawn: 2 added, 0 taken away, 30 left as they were." in answer.content.decode()
    assert drawn.assignments.count() == 32


def test_what_was_not_previewed_is_not_drawn(drawn, organizing):
    drawn.assignments.filter(entry__key="b").delete()
    open_first(drawn)
    answer = organizing.post(f"{COVERAGE}draw/", {"previewed": "of something else"}, follow=True)
    assert answer.redirect_chain == [(f"{COVERAGE}draw/", 302)]
    assert "Something has changed in the meantime" in answer.content.decode()
    assert not drawn.assignments.filter(entry__key="b").exists()


def test_a_bot_is_paused_with_a_reason_resumed_and_withdrawn(drawn, organizing):
    open_first(drawn)
    alias = alias_of(drawn, "b")
    post = {"bot": alias, "act": "pause", "because": "", "back": "coverage"}
    refused = organizing.post(ACTS, post)
    assert (refused.status_code, "Say why" in refused.content.decode()) == (409, True)
    assert drawn.entries.with_address().count() == 4
    answer = organizing.post(ACTS, post | {"because": "its server is moved"})
    assert answer["Location"] == f"{COVERAGE}?chosen={alias}#chosen"
    shown = page_of(organizing, f"{COVERAGE}?chosen={alias}")
    assert "its server is moved" in shown
    assert "waiting for the paused system" in shown
    silent = organizing.post(ACTS, {"bot": alias, "act": "resume"}, follow=True).content.decode()
    assert "Say why, in at most" in silent
    assert drawn.entries.get(alias=alias).paused_at
    organizing.post(ACTS, {"bot": alias, "act": "resume", "because": "its server is back"})
    assert TrailLine.objects.latest("number").because == "its server is back"
    assert drawn.entries.with_address().count() == 4
    organizing.post(ACTS, {"bot": alias, "act": "withdraw", "because": "asked for"})
    assert drawn.entries.taking_part().count() == 3
    assert not drawn.assignments.filter(entry__key="b", started_at=None).exists()


def test_a_bot_that_was_withdrawn_before_anybody_talked_to_it_is_in_no_row_and_no_filter(drawn, organizing):
    open_first(drawn)
    begun = drawn.assignments.exclude(started_at=None).values("entry")
    gone = drawn.entries.exclude(pk__in=begun).order_by("pk").first().alias
    pages = (COVERAGE, "/campaigns/small/dialogues/", "/campaigns/small/assignments/")
    assert all(gone in page_of(organizing, path) for path in pages)
    organizing.post(ACTS, {"bot": gone, "act": "withdraw", "because": "asked for"}, follow=True)
    assert [path for path in pages if gone in page_of(organizing, path)] == []
    stays = drawn.entries.filter(pk__in=begun).first().alias
    organizing.post(ACTS, {"bot": stays, "act": "withdraw", "because": "asked for"}, follow=True)
    assert "withdrawn" in page_of(organizing, COVERAGE)
    assert [path for path in pages if stays not in page_of(organizing, path)] == []


def test_a_tester_who_leaves_hands_over_what_is_not_begun_and_stays_in_the_matrix_with_what_is_done(drawn, organizing):
    """The coverage leads to the one page on which somebody leaves."""
    close(open_first(drawn, "tester-2"))
    leaver = Person.objects.get(username="tester-2")
    address = f"/campaigns/small/people/{leaver.pk}/leave/"
    assert f'href="{address}?role=tester"' in page_of(organizing, f"{COVERAGE}?by=person&chosen=tester-2")
    previewed = page_of(organizing, f"{address}?role=tester").split('name="previewed" value="')[1].split('"')[0]
    organizing.post(address, {"role": "tester", "to": "", "previewed": previewed, "because": "left"})
    survey = survey_of(drawn)
    assert "tester-2" not in survey.testers
    assert "tester-2" in survey.people
    assert not drawn.assignments.filter(tester__username="tester-2", started_at=None).exists()
    assert "leave/" not in page_of(organizing, f"{COVERAGE}?by=person&chosen=tester-2")


def test_what_a_leaver_did_for_nothing_is_drawn_for_others(drawn):
    dialogue = open_first(drawn, "tester-2")
    open_first(drawn, "tester-3")
    close(dialogue, "void")
    assert void_assignments(drawn) == {dialogue.assignment_id}
    leaver = Person.objects.get(username="tester-2")
    leave_as_tester(campaign=drawn, person=leaver, because="left", by=None, at=timezone.now())
    assert drawn.assignments.filter(started_at=None).count() == 30
    assert len(survey_of(drawn).changes.add) == 1
    said = json.loads(draw("--format", "json"))
    assert (said["added"], said["taken_away"]) == (1, 0)
    assert not survey_of(drawn).changes


@pytest.mark.parametrize("by", ["scenario", "person", "scenario-person", "nonsense"])
def test_each_matrix_is_shown_with_the_same_total(drawn, organizing, by):
    close(open_first(drawn))
    assert "1 of 32 dialogues done." in page_of(organizing, f"{COVERAGE}?by={by}")


def test_a_campaign_of_free_choice_says_that_nothing_is_drawn(drawn, organizing):
    drawn.free_choice = True
    drawn.save()
    assert "Testers choose freely" in page_of(organizing, COVERAGE)


def test_a_tester_sees_what_pauses_apart_with_its_reason(drawn):
    Person.objects.update(language="en")
    client = Client()
    client.force_login(Person.objects.get(username="tester"))
    pause_bot(entry=drawn.entries.get(key="b"), because="Team Alpha moves", at=timezone.now())
    shown = page_of(client, "/campaigns/small/testing/")
    assert "██████████ moves" in shown
    assert "Team Alpha" not in shown
    paused = Assignment.objects.filter(tester__username="tester", entry__key="b").first()
    answer = client.post(f"/assignments/{paused.pk}/open/", follow=True)
    assert answer.redirect_chain == [("/campaigns/small/testing/", 302)]
    assert "no longer offered" in answer.content.decode()
    refused = client.post("/api/v1/dialogues/", {"assignment": paused.pk}, content_type="application/json")
    assert refused.status_code == 409
    assert "is paused" in refused.json()["detail"]
    assert not Dialogue.objects.exists()


def draw(*arguments):
    out = StringIO()
    call_command("draw", "small", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_says_what_it_would_draw_and_draws_it(drawn):
    drawn.assignments.filter(entry__key="b", scenario__key="s2").delete()
    open_first(drawn)
    said = json.loads(draw("--dry-run", "--format", "json"))
    assert (said["drawn"], said["added"], said["taken_away"], said["left"]) == (False, 2, 0, 30)
    assert said["bots"]["b"] == {"added": 2, "taken_away": 0, "left": 6}
    assert drawn.assignments.count() == 30
    assert draw().splitlines()[0] == "2 added, 0 taken away, 30 left as they were"
    assert drawn.assignments.count() == 32
    assert draw("--dry-run").splitlines()[0] == "drawing would change: 0 added, 0 taken away, 32 left as they were"


def test_the_command_names_whom_nobody_can_be_drawn_for(drawn):
    drawn.testers_per_cell = 5
    drawn.save()
    assert "nobody can be drawn for 1 dialogues of bot a about s2" in draw("--dry-run")


def test_the_command_knows_no_other_campaign(db):
    with pytest.raises(CommandError, match="There is no campaign 'small'"):
        draw()


def test_imported_dialogues_cover_nothing_of_the_plan(drawn, organizing):
    dialogue = open_first(drawn)
    close(dialogue)
    Dialogue.objects.update(origin="imported", external_id="d1")
    Assignment.objects.filter(pk=dialogue.assignment_id).update(is_drawn=False)
    drawn.scenarios.create(key="imported", position=99, title_en="Imported from elsewhere")
    shown = page_of(organizing, COVERAGE)
    assert "0 of 32 dialogues done." in shown
    assert "Imported from elsewhere" not in shown


def reviewed_by_two(campaign, closed_at):
    """A panel of two per dialogue: one dialogue is reviewed by one, the other reviewer cannot judge it."""
    people = panel(campaign, 2)
    dialogue = open_first(campaign)
    close(dialogue)
    draw_review_places(campaign=campaign, at=closed_at)
    submit(dialogue, people[0])
    add_remark(dialogue=dialogue, reviewer=people[1], kind="cannot_judge", text="", at=closed_at)
    return dialogue


def test_holes_of_panels_are_shown_beside_holes_of_testing(drawn, organizing):
    reviewed_by_two(drawn, timezone.now())
    testing, reviews = page_of(organizing, COVERAGE), page_of(organizing, f"{COVERAGE}?by=reviews")
    assert "1 of 32 dialogues done." in testing
    assert "1 of 2 reviews done, of the dialogues that there are." in reviews
    assert "1 review is missing: 1 that no reviewer can be drawn for." in reviews
    assert "1 gap that nobody fills now" in reviews
    assert f'chosen={drawn.scenarios.first().key}#chosen"' not in reviews
    for shown in (testing, reviews):
        assert "Panels that nobody can fill" in shown
        assert "cannot judge it: reviewer-2" in shown


def test_a_closed_panel_is_no_hole(drawn, organizing):
    dialogue = reviewed_by_two(drawn, timezone.now())
    organizer = Person.objects.get(username="organizer")
    close_panel(dialogue=dialogue, organizer=organizer, because="x", at=timezone.now())
    shown = page_of(organizing, f"{COVERAGE}?by=reviews")
    assert "1 of 1 reviews done" in shown
    assert "Panels that nobody can fill" not in shown


def test_there_is_no_matrix_of_reviews_where_no_panel_scores(drawn, organizing):
    close(open_first(drawn))
    shown = page_of(organizing, f"{COVERAGE}?by=reviews")
    assert "Reviews of panels" not in shown
    assert "1 of 32 dialogues done." in shown


def test_the_reviews_of_imported_dialogues_have_their_cells(drawn, organizing):
    panel(drawn, 2)
    dialogue = open_first(drawn)
    close(dialogue)
    imported = drawn.scenarios.create(key="imported", position=99)
    Dialogue.objects.update(origin="imported", external_id="d1")
    Assignment.objects.filter(pk=dialogue.assignment_id).update(is_drawn=False, scenario=imported)
    shown = page_of(organizing, f"{COVERAGE}?by=reviews")
    assert "0 of 2 reviews done" in shown
    assert "0/2" in shown
    assert "2 to be drawn by the platform" in shown
    assert "gap that nobody" not in shown


def test_a_plan_that_is_too_large_says_so_on_every_way_to_draw_it(drawn, organizing):
    drawn.plan_limit = 31
    drawn.save()
    drawn.assignments.all().delete()
    said = "4 systems × 4 scenarios × 2 testers are 32 assignments, more than the 31 that may be drawn"
    shown = page_of(organizing, COVERAGE)
    assert "The plan is too large to be drawn" in shown
    assert said in shown
    assert "drawing would change nothing" not in shown
    for answer in (organizing.get(f"{COVERAGE}draw/"), organizing.post(f"{COVERAGE}draw/")):
        assert (answer.status_code, answer.url) == (302, COVERAGE)
    for answer in (organizing.get(DRAWING), organizing.post(DRAWING, {}, content_type="application/json")):
        assert (answer.status_code, answer.json()["code"]) == (409, "plan_too_large")
        assert said in answer.json()["detail"]
    with pytest.raises(CommandError, match="32 assignments, more than the 31"):
        call_command("draw", "small", "--dry-run")
    with pytest.raises(CommandError, match="32 assignments, more than the 31"):
        call_command("draw", "small")
    assert not Assignment.objects.exists()


def test_a_setting_that_makes_the_plan_too_large_is_refused_where_it_is_chosen(drawn, organizing):
    address = "/api/v1/campaigns/small/settings/"
    refused = organizing.patch(address, {"testers_per_cell": 3, "plan_limit": 40}, content_type="application/json")
    assert refused.status_code == 400
    assert list(refused.json()["fields"]) == ["testers_per_cell"]
    raised = organizing.patch(address, {"plan_limit": 100_001}, content_type="application/json")
    assert list(raised.json()["fields"]) == ["plan_limit"]
    drawn.refresh_from_db()
    assert (drawn.testers_per_cell, drawn.plan_limit) == (2, 100_000)
