"""The pages of people who come by a link: what they read before, and what they are told at the end."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Person
from campaigns.models import Role
from crowds.actions.arriving import note_visit
from crowds.actions.declaring import close_study
from crowds.actions.ending import forget_outside_ids, free_places, stop
from crowds.models import Arrival, CrowdStudy
from crowds.platforms import Outside
from crowds.study_form import shown_study
from reading.kinds import Texts
from tests.crowds.conftest import ITEM, PID, address, browser, comes, talks
from tests.world import client_of

pytestmark = pytest.mark.django_db
EN = {"HTTP_ACCEPT_LANGUAGE": "en"}


def test_time_and_pay_per_hour_stand_there_before_anything_begins(study):
    page = browser().get(address(study), **EN).content.decode()
    assert "18.00 GBP" in page
    assert "20 minutes" in page
    assert "2 dialogues" in page
    assert Arrival.objects.get().state == "came"
    assert not Person.objects.filter(came_by="crowd").exists()


def test_who_begins_is_logged_in_and_led_to_the_work(study):
    client = browser()
    begun = client.post(address(study), {}, **EN)
    assert begun.url == "/campaigns/small/testing/"
    listed = client.get(begun.url, **EN).content.decode()
    assert "0 / 2" in listed
    assert PID not in listed
    assert client.get("/campaigns/small/organize/").status_code == 404


def test_two_tabs_and_a_refresh_make_one_place(study):
    one, other = browser(), browser()
    for client in (one, other):
        client.get(address(study))
    assert {client.post(address(study), {}).status_code for client in (one, other, one)} == {302}
    assert Person.objects.filter(came_by="crowd").count() == 1
    assert one.get(address(study)).url == f"/enter/{study.door}/place/"


def test_the_bar_shows_the_place_where_somebody_is_at_work(study, make):
    """They ran out of time, stopped in another study, and went on in the first."""
    at, client = timezone.now(), browser()
    comes(study, at=at - timedelta(hours=2))
    free_places(at=at)
    stop(arrival=comes(make(key="wave-2", name=Texts("第二轮", "Wave 2"))), at=at)
    client.post(address(study), {})
    bar = client.get("/", **EN).content.decode().partition("crowd-bar")[2]
    assert "Wave 1" in bar
    assert "0 / 2" in bar


def test_at_the_end_the_code_and_the_way_back_stand_there(study):
    client = browser()
    client.post(address(study), {})
    talks(Arrival.objects.get(), 2)
    assert "primary" in client.get("/", **EN).content.decode().partition("crowd-bar")[2][:700]
    assert client.post(f"/enter/{study.door}/place/", {"act": "finish"}).status_code == 302
    page = client.get(f"/enter/{study.door}/place/", **EN).content.decode()
    assert "C0MPLETE" in page
    assert 'href="https://app.prolific.com/submissions/complete?cc=C0MPLETE"' in page
    assert "6.00 GBP" in page
    assert "C0MPLETE" in browser().get(address(study), **EN).content.decode()


def test_who_is_not_done_reads_how_much_is_missing(study):
    client = browser()
    client.post(address(study), {})
    answer = client.post(f"/enter/{study.door}/place/", {"act": "finish"}, **EN)
    assert answer.status_code == 409
    assert "2 to go" in answer.content.decode()
    assert "C0MPLETE" not in answer.content.decode()


def test_who_is_turned_away_reads_what_happens_with_the_pay(make, study):
    comes(study, "a")
    comes(study, "b")
    full = browser().get(address(study), **EN).content.decode()
    assert "All places are taken" in full
    assert "nothing is paid" in full
    assert "FULL0" in full
    assert "C0MPLETE" not in full
    careful = make(key="wave-2", attention=(ITEM,), screened_out_pay=1)
    out = browser().post(address(careful), {}, **EN).content.decode()
    assert "You are paid 1.00 GBP" in out
    assert "SCREEN1" in out


def test_a_closed_study_and_broken_links_have_kind_pages(study, organizer):
    close_study(study=study, by=organizer, at=timezone.now())
    assert "This study is not open" in browser().get(address(study), **EN).content.decode()
    for broken in (
        "/enter/nowhere/?PROLIFIC_PID=x",
        f"/enter/{study.door}/",
        address(study, "a%20b"),
        address(study, "x" * 200),
    ):
        answer = browser().get(broken, **EN)
        assert (answer.status_code, "This link is not complete" in answer.content.decode()) == (404, True)


def test_a_worker_who_only_previews_begins_nothing(make):
    study = make(platform="mturk")
    door = f"/enter/{study.door}/?assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=h"
    page = browser().get(door, **EN).content.decode()
    assert "This is a preview" in page
    assert "<button" not in page.partition("<main")[2].partition("</main")[0]
    assert browser().post(door, {}).status_code == 200
    assert not Arrival.objects.exists()


def test_a_worker_goes_back_by_the_form_of_the_platform_and_no_other(make):
    study = make(platform="mturk", return_url="")
    door = f"/enter/{study.door}/?workerId=W1&hitId=h&assignmentId=A1&turkSubmitTo="
    client = browser()
    client.post(door + "https://workersandbox.mturk.com", {})
    talks(Arrival.objects.get(), 2)
    client.post(f"/enter/{study.door}/place/", {"act": "finish"})
    answer = client.get(f"/enter/{study.door}/place/")
    assert 'action="https://workersandbox.mturk.com/mturk/externalSubmit"' in answer.content.decode()
    assert "https://workersandbox.mturk.com" in answer.headers["Content-Security-Policy"]
    evil = client.get(door + "https://evil.example")
    assert "evil" not in evil.content.decode().partition("<main")[2].partition("</main")[0]


def test_who_gave_the_task_back_and_took_it_again_submits_the_later_assignment(make):
    study = make(platform="mturk", return_url="")
    door = f"/enter/{study.door}/?workerId=W1&hitId=h&turkSubmitTo=https://www.mturk.com&assignmentId="
    client = browser()
    for assignment in ("A1", "A2"):
        assert client.post(door + assignment, {}).status_code == 302
        assert Arrival.objects.get().outside.session == assignment
    assert client.get(door + "A3").url == f"/enter/{study.door}/place/"
    talks(Arrival.objects.get(), 2)
    client.post(f"/enter/{study.door}/place/", {"act": "finish"})
    page = client.get(f"/enter/{study.door}/place/").content.decode()
    assert ('value="A3"' in page, 'value="A1"' in page) == (True, False)
    # What is over was paid: another assignment takes nothing of it over.
    client.get(door + "A4")
    assert Arrival.objects.get().outside.session == "A3"


def test_a_link_without_a_session_erases_none(make):
    study = make(platform="mturk", return_url="")
    door = f"/enter/{study.door}/?workerId=W1"
    client = browser()
    client.post(f"{door}&hitId=h&assignmentId=A1&turkSubmitTo=https://www.mturk.com", {})
    stored = Outside("W1", "h", "A1", "https://www.mturk.com")
    client.get(door)
    client.head(door)
    client.post(door, {})
    assert Arrival.objects.get().outside == stored
    client.get(f"{door}&assignmentId=A2")
    assert Arrival.objects.get().outside == replace(stored, session="A2")


def test_who_begins_again_by_a_link_without_a_session_goes_back_with_the_one_of_before(study):
    at = timezone.now()
    comes(study, at=at - timedelta(hours=2))
    free_places(at=at)
    assert browser().post(address(study, session=""), {}).status_code == 302
    arrival = Arrival.objects.get()
    assert (arrival.is_at_work, arrival.outside) == (True, Outside(PID, "st1", "s1"))


def test_ids_that_were_erased_are_not_brought_back_by_an_open_tab(study, organizer):
    arrival = comes(study)
    forget_outside_ids(study=study, by=organizer, at=timezone.now(), only=arrival)
    note_visit(study=study, outside=Outside(PID, "st1", "s2"), arrival=arrival, at=timezone.now())
    assert Arrival.objects.get().outside.participant == ""


def test_only_a_frame_of_the_platform_may_show_a_task(make, study):
    study_of_workers = make(key="w", platform="mturk")
    door = f"/enter/{study_of_workers.door}/?workerId=W1&hitId=h&assignmentId=A1"
    framed = browser().get(door, HTTP_SEC_FETCH_DEST="iframe")
    assert "frame-ancestors https://www.mturk.com" in framed.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in framed.headers
    assert "csrfmiddlewaretoken" not in framed.content.decode().partition("<main")[2].partition("</main")[0]
    assert browser().get(address(study), HTTP_SEC_FETCH_DEST="iframe").headers["X-Frame-Options"] == "DENY"


def test_consent_is_asked_with_its_version_and_kept(study, campaign, organizer):
    campaign.descriptions.create(version=3, consent_en="We keep your words.", written_at=timezone.now())
    client = browser()
    assert "We keep your words." in client.get(address(study), **EN).content.decode()
    assert client.post(address(study), {}).status_code == 409
    assert client.post(address(study), {"consent": "3"}).status_code == 302
    arrival = Arrival.objects.get()
    assert arrival.consent_version == 3
    assert campaign.descriptions.get().consents.get().person == arrival.person


def test_the_place_of_somebody_else_is_not_there(study, outsider):
    comes(study)
    assert client_of(outsider).get(f"/enter/{study.door}/place/").status_code == 404
    assert browser().get(f"/enter/{study.door}/place/").status_code == 302


def test_a_program_that_makes_people_up_is_slowed_down(study):
    answers = [browser().get(address(study, f"made-up-{number}")).status_code for number in range(62)]
    assert answers[-1] == 429
    assert answers.count(200) == 60


def test_a_reviewer_is_led_to_the_queue(campaign, make):
    campaign.reviewed_by = campaign.counted_reviews = "both"
    campaign.save()
    study = make(role="reviewer")
    client = browser()
    assert client.post(address(study), {}).url == "/campaigns/small/review/"
    assert client.get("/campaigns/small/review/").status_code == 200
    assert Arrival.objects.get().person.campaign_roles.get().role == Role.REVIEWER


def test_a_place_that_is_free_again_lets_in_who_came_when_it_was_full(study):
    first, client = comes(study, "a"), browser()
    comes(study, "b")
    assert "All places are taken" in client.get(address(study), **EN).content.decode()
    stop(arrival=first, at=timezone.now())
    page = client.get(address(study), **EN).content.decode()
    assert "18.00 GBP" in page
    assert client.post(address(study), {}).status_code == 302


def test_who_ran_out_of_time_goes_on_where_there_is_room_and_reads_it_where_there_is_none(study):
    at = timezone.now()
    comes(study, at=at - timedelta(hours=2))
    comes(study, "b")
    free_places(at=at)
    client = browser()
    assert "You have begun already" in client.get(address(study), **EN).content.decode()
    comes(study, "c")
    for answer in (client.post(address(study), {}, **EN), client.get(address(study), **EN)):
        assert "The time for your place is over" in answer.content.decode()


def test_codes_that_no_key_unseals_are_typed_again(make, organizer, settings):
    study = make()
    settings.SECRET_KEY = "another"
    client = client_of(organizer)
    base = f"/campaigns/small/studies/{study.pk}/"
    assert "type them again" in client.get(base, **EN).content.decode()
    typed = shown_study(CrowdStudy.objects.get()) | {"code_completed": "NEW1"}
    assert client.post(base, typed).status_code == 302
    assert CrowdStudy.objects.get().codes == {"completed": "NEW1"}
