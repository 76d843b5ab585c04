"""The organizer's pages of single dialogues, and their twins in the API: the same rows, the same acts, the same refusals."""

import json
from datetime import timedelta
from urllib.parse import quote

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Person
from audit.models import TrailLine
from campaigns.actions import load_campaign
from campaigns.models import Campaign, Role
from dialogues.actions import open_chosen_dialogue, record_failure
from dialogues.actions.reports import flag_turn, report_problem
from dialogues.models import Attempt, Dialogue, Turn
from participants.failure_sentences import STATUS
from participants.failures import BotFailure, FailureKind
from reading.findings import sentence
from reviews.actions.placing import draw_review_places
from reviews.actions.vetting import vet_dialogue
from reviews.models import Review
from tests.conftest import SMALL_CAMPAIGN, Admitted, spec_of
from tests.dialogues.test_actions import Talk
from tests.reviews.conftest import panel, person, submit

pytestmark = pytest.mark.django_db
LIST = "/campaigns/small/dialogues/"
API = "/api/v1/campaigns/small/dialogues/"


@pytest.fixture
def organizing(organizer):
    Person.objects.update(language="en")
    client = Client()
    client.force_login(organizer)
    return client


@pytest.fixture
def failed(dialogue, admission):
    """One answered turn, masked; one that the bot failed, asked again and failed again."""
    talk = Talk(dialogue, admission)
    talk.answer(talk.send("k1", "去上海").asked, "我是 Team Alpha 的系统", masked=("Team Alpha",))
    talk.fail(talk.send("k2", "几点？").asked, FailureKind.HTTP_5XX, status=502, evidence="<b>Bad gateway</b>")
    talk.fail(talk.retry(2), FailureKind.BAD_JSON, status=200, evidence="not json")
    return dialogue


def page_of(client, address):
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def ids(client, **asked):
    return {row["id"] for row in client.get(API, asked).json()["results"]}


def another_campaign(tester):
    other, _ = load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace('slug = "small"', 'slug = "other"')))
    entry, scenario = other.entries.get(), other.scenarios.get()
    return open_chosen_dialogue(campaign=other, tester=tester, entry=entry, scenario=scenario, at=timezone.now())


class TestList:
    def test_it_names_team_and_tester_and_says_whom_a_dialogue_waits_for(self, failed, organizing):
        shown = page_of(organizing, LIST)
        for said in ("Team Alpha", "tester", str(failed.pk)[:8], "in progress", "since"):
            assert said in shown
        (row,) = organizing.get(API).json()["results"]
        assert (row["failures"], row["turns"], row["waits"]["for"]) == (2, 2, "tester")

    def test_every_filter_lets_through_what_it_says(self, failed, organizing, campaign, tester, admission):
        plain = open_chosen_dialogue(
            campaign=campaign, tester=tester, entry=campaign.entries.get(), scenario=campaign.scenarios.get(),
            at=timezone.now(),
        )  # fmt: skip
        Talk(plain, admission).send()
        one, two = str(failed.pk), str(plain.pk)
        alias = campaign.entries.get().alias
        assert ids(organizing) == {one, two}
        assert ids(organizing, failed="1") == {one}
        assert ids(organizing, waits_for="bot") == {two}
        assert ids(organizing, waits_for="tester") == {one}
        assert ids(organizing, waits_min="1") == set()
        assert ids(organizing, bot=alias, tester="tester", scenario="flight-then-hotel", state="open") == {one, two}
        assert ids(organizing, bot="nobody") == set()
        assert ids(organizing, imported="1") == set()
        assert ids(organizing, flagged="1") == set()
        flag_turn(turn=Turn.objects.filter(dialogue=plain).get(), at=timezone.now())
        assert ids(organizing, flagged="1") == {two}
        for search in (one, one.upper(), one[:12], one.replace("-", "")[:8]):
            assert ids(organizing, search=search) == {one}
        assert ids(organizing, search="no such") == set()

    def test_a_span_of_time_begins_with_its_first_moment_and_ends_before_its_last(self, dialogue, organizing):
        began = dialogue.opened_at
        second = timedelta(seconds=1)
        for since, until, is_there in (
            (began, began + second, True), (began - second, began, False), (began + second, None, False), (None, began, False),
        ):  # fmt: skip
            said = {name: at.isoformat() for name, at in (("since", since), ("until", until)) if at is not None}
            assert (ids(organizing, **said) == {str(dialogue.pk)}) is is_there, said
            assert (str(dialogue.pk)[:8] in organizing.get(LIST, said).content.decode()) is is_there

    def test_a_page_reads_a_time_in_the_sites_zone_and_shows_it_so_again(self, dialogue, organizing):
        Dialogue.objects.update(opened_at="2026-03-01T01:00:00Z")
        shown = organizing.get(LIST, {"since": "2026-03-01T09:00", "until": "2026-03-01T01:00:01Z"}).content.decode()
        assert str(dialogue.pk)[:8] in shown
        assert shown.count('value="2026-03-01T09:00"') == 2
        later = organizing.get(LIST, {"since": "2026-03-01T09:01"}).content.decode()
        assert str(dialogue.pk)[:8] not in later

    @pytest.mark.parametrize("said", ["yesterday", "2026-03-01T09:00", "0001-01-01T00:00:00+08:00"])
    def test_what_is_no_time_is_refused_by_the_api_and_as_none_on_the_page(self, dialogue, organizing, said):
        for address in (API, "/api/v1/campaigns/small/failures/"):
            for name in ("since", "until"):
                answer = organizing.get(address, {name: said})
                assert (answer.status_code, list(answer.json()["fields"])) == (400, [name])
        if said != "2026-03-01T09:00":
            assert str(dialogue.pk)[:8] in page_of(organizing, f"{LIST}?since={quote(said)}&until={quote(said)}")

    def test_the_description_of_both_lists_names_the_span(self, client):
        paths = client.get("/api/v1/schema/").json()["paths"]
        for what in ("dialogues", "failures"):
            asked = {
                one["name"]: one["schema"] for one in paths[f"/api/v1/campaigns/{{slug}}/{what}/"]["get"]["parameters"]
            }
            assert asked["since"]["format"] == asked["until"]["format"] == "date-time"

    @pytest.mark.parametrize("page", ["0", "9", "x", "", "-1"])
    def test_a_page_that_there_is_not_is_one_that_there_is(self, failed, organizing, page):
        assert organizing.get(LIST, {"page": page}).status_code == 200

    def test_it_asks_the_database_no_more_often_for_more(self, failed, organizing, campaign, tester):
        def counted(address):
            organizing.get(address)
            with CaptureQueriesContext(connection) as asked:
                assert organizing.get(address).status_code == 200
            return len(asked)

        pages = (LIST, API, "/campaigns/small/failures/", "/campaigns/small/assignments/")
        before = [counted(page) for page in pages]
        for _ in range(8):
            one = open_chosen_dialogue(
                campaign=campaign, tester=tester, entry=campaign.entries.get(), scenario=campaign.scenarios.get(),
                at=timezone.now(),
            )  # fmt: skip
            talk = Talk(one, Admitted(tester))
            talk.fail(talk.send().asked)
        assert [counted(page) for page in pages] == before
        assert max(before) <= 22


class TestOne:
    def test_it_shows_all_that_is_stored_and_answers_as_text(self, failed, organizing, tester):
        report_problem(dialogue=failed, person=tester, turn=None, text="很奇怪", at=timezone.now())
        shown = page_of(organizing, f"{LIST}{failed.pk}/")
        for said in ("Team Alpha 的系统", "去上海", "HTTP 502", "http_5xx", "bad_json", "很奇怪", "turn.failed"):
            assert said in shown
        assert "&lt;b&gt;Bad gateway&lt;/b&gt;" in shown
        assert "<b>Bad gateway</b>" not in shown
        said = organizing.get(f"{API}{failed.pk}/").json()
        assert said["turns"][0]["originals"] == ["我是 Team Alpha 的系统"]
        assert [one["kind"] for one in said["turns"][1]["attempts"]] == ["http_5xx", "bad_json"]
        assert said["turns"][1]["attempts"][0]["bytes"] == len("<b>Bad gateway</b>")
        assert [line["seq"] for line in said["ledger"]] == [1, 2, 3, 4, 5, 6]

    def test_only_what_people_said_is_offered_to_the_guide(self, dialogue, organizing):
        address = f"{LIST}{dialogue.pk}/"
        assert "review/guide/examples/?dialogue" not in page_of(organizing, address)
        Dialogue.objects.update(status="completed", closed_at=timezone.now())
        assert "review/guide/examples/?dialogue" in page_of(organizing, address)
        Dialogue.objects.update(origin=Dialogue.Origin.PROGRAM)
        assert "review/guide/examples/?dialogue" not in page_of(organizing, address)

    def test_a_bots_state_is_shown_as_raw_evidence(self, dialogue, admission, organizing):
        talk = Talk(dialogue, admission)
        talk.answer(talk.send().asked, state={"<b>槽": 1})
        talk.answer(talk.send("k2").asked)
        assert "{&quot;&lt;b&gt;槽&quot;:1}" in page_of(organizing, f"{LIST}{dialogue.pk}/")
        said = organizing.get(f"{API}{dialogue.pk}/").json()["turns"]
        assert [one["state"] for one in said] == [{"<b>槽": 1}, None]

    def test_a_secret_that_the_bot_repeats_is_shown_to_no_organizer(self, dialogue, admission, organizing, campaign):
        """Also what was stored before it was hidden in failures themselves."""
        entry = campaign.entries.get()
        entry.secret = "it's hush-hush"
        entry.save()
        talk = Talk(dialogue, admission)
        masked = {"text": "我是 it's hush-hush", "masked": ("it's hush-hush",)}
        talk.answer(talk.send("k1").asked, state={"told": "it's hush-hush"}, **masked)
        talk.fail(talk.send("k2").asked, FailureKind.HTTP_5XX, status=502, evidence="told it's hush-hush")
        Attempt.objects.filter(outcome="failure").update(detail=["", "not %(value)s", {"value": "it's hush-hush"}])
        for address in ("", "request/"):
            shown = page_of(organizing, f"{LIST}{dialogue.pk}/{address}")
            assert "***" in shown
            assert "hush" not in shown
        first, second = organizing.get(f"{API}{dialogue.pk}/").json()["turns"]
        assert (first["originals"], first["state"]) == (["我是 ***"], {"told": "***"})
        assert (second["attempts"][0]["detail"], second["attempts"][0]["evidence"]) == ("not ***", "told ***")
        (listed,) = organizing.get("/api/v1/campaigns/small/failures/").json()["results"]
        assert (listed["detail"], listed["evidence"]) == ("not ***", "told ***")
        assert "hush" not in page_of(organizing, "/campaigns/small/failures/")

    def test_the_api_tells_in_the_readers_language_why_a_call_failed(self, dialogue, admission, organizing):
        talk = Talk(dialogue, admission)
        failure = BotFailure(FailureKind.HTTP_5XX, sentence(STATUS, status=502), status=502)
        record_failure(asked=talk.send("k1").asked, failure=failure, at=timezone.now())

        def told():
            (turn,) = organizing.get(f"{API}{dialogue.pk}/").json()["turns"]
            return turn["attempts"][0]["detail"]

        assert told() == "The system answered with status 502."
        Person.objects.update(language="zh-hans")
        assert told() == "系统回答的状态码是 502。"

    def test_scores_are_shown_and_drafts_are_not(self, dialogue, admission, organizing, tester, reviewer):
        talk = Talk(dialogue, admission)
        talk.turns(1)
        talk.end()
        Review.objects.create(dialogue=dialogue, reviewer=reviewer, draft={"comment": "draft words"})
        submit(dialogue, tester, comment="handed in words")
        shown = page_of(organizing, f"{LIST}{dialogue.pk}/")
        assert "handed in words" in shown
        assert "draft words" not in shown
        (review,) = organizing.get(f"{API}{dialogue.pk}/").json()["reviews"]
        assert (review["reviewer"], review["part"], review["is_counted"]) == ("tester", "self", True)

    def test_reviews_stand_side_by_side_with_the_turn_that_shows_why(self, dialogue, admission, organizing, campaign):
        panel(campaign, reviewed_by="panel", counted_reviews="panel", reviewers_per_dialogue=2)
        talk = Talk(dialogue, admission)
        talk.turns(2)
        talk.end()
        draw_review_places(campaign=campaign, at=timezone.now())
        for place in talk.now().review_places.order_by("pk"):
            scores = {"satisfaction": 1, "fluency": 0, "guidance": 1}
            submit(talk.now(), place.reviewer, ratings=scores, evidence={"fluency": 2}, at=timezone.now())
        answer = organizing.get(f"{LIST}{dialogue.pk}/")
        rows = {row.letter: row.cells for row in answer.context["talk"].score_rows}
        assert [(cell.said, cell.evidence_turn) for cell in rows["F"]] == [("0", 2), ("0", 2)]
        assert [cell.said for cell in rows["Sa"]] == ["1", "1"]
        parts = [row.cells for row in answer.context["talk"].score_rows if row.letter == "C"]
        assert [[cell.said for cell in cells] for cells in parts] == [["1", "1"], ["0", "0"]]
        assert answer.content.decode().count('href="#turn-2"') == 2

    def test_the_next_and_the_previous_are_those_of_the_filtered_list(self, dialogue, organizing, campaign, tester):
        others = [
            open_chosen_dialogue(
                campaign=campaign, tester=tester, entry=campaign.entries.get(), scenario=campaign.scenarios.get(),
                at=dialogue.opened_at + timedelta(minutes=minutes),
            )
            for minutes in (1, 2)
        ]  # fmt: skip
        Dialogue.objects.filter(pk=others[0].pk).update(status="void", closed_at=dialogue.opened_at)
        (middle, latest), query = others, "?state=open"

        def beside(one, asked=""):
            return organizing.get(f"{LIST}{one.pk}/{asked}").context["beside"]

        assert beside(middle) == {"previous": f"{LIST}{latest.pk}/", "next": f"{LIST}{dialogue.pk}/"}
        assert beside(dialogue, query) == {"previous": f"{LIST}{latest.pk}/{query}"}
        assert beside(latest, query) == {"next": f"{LIST}{dialogue.pk}/{query}"}
        assert f'href="{LIST}{latest.pk}/{query}"' in page_of(organizing, LIST + query)
        done = organizing.post(f"{LIST}{latest.pk}/end/{query}", {"because": "too long"})
        assert done.url == f"{LIST}{latest.pk}/{query}"

    def test_what_experts_answered_is_shown(self, dialogue, admission, organizing, campaign):
        Campaign.objects.update(experts_per_dialogue=3)
        talk = Talk(dialogue, admission)
        talk.turns(1)
        talk.end()
        expert = person(campaign, "expert", Role.EXPERT)
        at = timezone.now()
        vet_dialogue(dialogue=talk.now(), expert=expert, faults=["correct", "natural"], reason="too stiff", at=at)
        shown = page_of(organizing, f"{LIST}{dialogue.pk}/")
        assert "Not natural, right in its knowledge" in shown
        assert organizing.get(f"{API}{dialogue.pk}/").json()["vettings"] == [
            {
                **{"expert": "expert", "is_accepted": False, "faults": ["natural", "correct"]},
                **{"reason": "too stiff", "at": at.isoformat()},
            }
        ]

    def test_a_dialogue_of_another_campaign_is_not_there(self, dialogue, organizing, tester):
        other = another_campaign(tester)
        Campaign.objects.get(slug="other").roles.filter(role=Role.ORGANIZER).delete()
        for address in (
            f"{LIST}{other.pk}/", f"{LIST}{other.pk}/request/", f"{API}{other.pk}/", f"{API}{other.pk}/request/",
        ):  # fmt: skip
            assert organizing.get(address).status_code == 404, address
        for act in ("void", "end", "restore", "fault"):
            assert organizing.post(f"{LIST}{other.pk}/{act}/", {"because": "x"}).status_code == 404
            answer = organizing.post(f"{API}{other.pk}/{act}/", {"because": "x"}, content_type="application/json")
            assert answer.status_code == 404
        forged = f"/campaigns/small/assignments/{other.assignment_id}/"
        assert organizing.get(forged).status_code == 404
        assert organizing.post(f"/api/v1{forged}", {"tester": "tester"}, "application/json").status_code == 404
        assert Dialogue.objects.get(pk=other.pk).is_open

    def test_the_request_is_rebuilt_without_the_secret(self, failed, organizing, campaign):
        entry = campaign.entries.get()
        entry.secret = "hunter2-hunter2"
        entry.save()
        shown = page_of(organizing, f"{LIST}{failed.pk}/request/?turn=2")
        assert shown.startswith("curl -sS -X POST http://127.0.0.1:9/")
        assert "Bearer ***" in shown
        assert "hunter2" not in shown
        assert "几点？" in shown
        assert "去上海" in shown
        said = organizing.get(f"{API}{failed.pk}/request/?turn=2").json()
        # The bot heard its own answer as testers saw it.
        assert "Team Alpha" not in said["body"]
        assert json.loads(said["body"])["turn"] == 2
        assert organizing.get(f"{LIST}{failed.pk}/request/?turn=7").status_code == 404
        assert organizing.get(f"{LIST}{failed.pk}/request/?turn=x").status_code == 404


class TestDecide:
    def test_void_on_the_page_asks_for_a_reason_beside_the_field(self, failed, organizing):
        answer = organizing.post(f"{LIST}{failed.pk}/void/", {"because": "  "})
        assert answer.status_code == 400
        assert "Say why" in answer.content.decode()
        assert Dialogue.objects.get().is_open

    def test_void_and_back(self, dialogue, admission, organizing):
        Talk(dialogue, admission).turns(1)
        Talk(dialogue, admission).end()
        said = organizing.post(f"{LIST}{dialogue.pk}/void/", {"because": "走错了"}, follow=True).content.decode()
        assert "counts nowhere any more" in said
        assert "declared the dialogue" in said
        assert Dialogue.objects.get().status == "void"
        said = organizing.post(f"{LIST}{dialogue.pk}/restore/", {"because": "看错了"}, follow=True).content.decode()
        assert "The dialogue counts again." in said
        assert Dialogue.objects.get().status == "unfinished"

    @pytest.mark.parametrize(
        ("act", "sentence"),
        [
            ("end", "The dialogue is closed."),
            ("void", "The dialogue counts nowhere already."),
            ("restore", "The dialogue was open when it was declared void: its tester does it again."),
        ],
    )
    def test_what_became_impossible_meanwhile_leaves_the_reason_in_its_field(self, failed, organizing, act, sentence):
        """Somebody else declared the open dialogue void while this page was read."""
        organizing.post(f"{LIST}{failed.pk}/void/", {"because": "another organizer"})
        lines = TrailLine.objects.count()
        answer = organizing.post(f"{LIST}{failed.pk}/{act}/", {"because": "机房 <断网>"})
        field = answer.content.decode().split('value="机房 &lt;断网&gt;"')[1].split("</label>")[0]
        assert (answer.status_code, 'aria-invalid="true"' in field, sentence in field) == (409, True, True)
        assert f'action="{LIST}{failed.pk}/{act}/"' in answer.content.decode()
        assert TrailLine.objects.count() == lines

    @pytest.mark.parametrize(
        ("turn", "fault", "sentence"),
        [("2", "bot", "The failure is already recorded that way."), ("1", "platform", "This turn has not failed.")],
    )
    def test_a_fault_that_cannot_be_booked_any_more_leaves_its_reason(self, failed, organizing, turn, fault, sentence):
        typed = {"turn": turn, "fault": fault, "because": "机房断网"}
        answer = organizing.post(f"{LIST}{failed.pk}/fault/", typed)
        shown = answer.content.decode()
        field = shown.split('value="机房断网"')[1].split("</label>")[0]
        assert (answer.status_code, sentence in field) == (409, True)
        # The form of a turn that has not failed is not there.
        assert ("Nothing was changed" in shown) is (turn == "1")

    def test_each_reason_that_can_be_given_has_a_name_of_its_own(self, failed, organizing):
        shown = page_of(organizing, f"{LIST}{failed.pk}/")
        labels = [part.split("</span>")[0].split("<span>")[1] for part in shown.split('<label class="field">')[1:]]
        reasons = [one for one in labels if one.startswith("Why")]
        assert reasons == [
            "Why the fault of turn 2 is reassigned",
            "Why you end it",
            "Why it has more time",
            "Why it is void",
        ]

    def test_the_api_does_the_same(self, failed, organizing):
        def post(act, **body):
            return organizing.post(f"{API}{failed.pk}/{act}/", body, content_type="application/json")

        assert post("void").status_code == 400
        assert post("fault", because="x", turn=2, fault="martians").status_code == 400
        assert post("fault", because="x", turn=1, fault="platform").status_code == 409
        assert post("fault", because="x", turn=2).status_code == 409
        booked = post("fault", because="机房断网", turn=2, fault="platform")
        assert (booked.status_code, booked.json()["status"]) == (200, "open")
        assert post("end", because="时间到", note="ignored").json()["status"] == "void"
        assert post("end", because="时间到").status_code == 409
        assert post("explode", because="x").status_code == 404
        acts = ["fault.booked", "dialogue.ended"]
        assert list(TrailLine.objects.filter(act__in=acts).in_order().values_list("act", flat=True)) == acts


class TestFailures:
    def test_each_failure_has_its_evidence_and_bots_are_counted_by_kind(self, failed, organizing, campaign):
        shown = page_of(organizing, "/campaigns/small/failures/")
        for said in ("http_5xx", "bad_json", "&lt;b&gt;Bad gateway", "Team Alpha", "curl"):
            assert said in shown
        said = organizing.get("/api/v1/campaigns/small/failures/").json()
        assert said["count"] == 2
        assert said["per_bot"] == {campaign.entries.get().alias: {"http_5xx": 1, "bad_json": 1}}
        assert {row["turn"] for row in said["results"]} == {2}

    def test_they_can_be_narrowed(self, failed, organizing):
        def n(**asked):
            return organizing.get("/api/v1/campaigns/small/failures/", asked).json()["count"]

        latest = Attempt.objects.order_by("ended_at").last().ended_at
        assert (n(since=latest.isoformat()), n(until=latest.isoformat())) == (1, 1)
        assert (n(kind="bad_json"), n(kind="dns"), n(fault="bot"), n(fault="platform"), n(bot="x")) == (1, 0, 2, 0, 0)
        empty = page_of(organizing, "/campaigns/small/failures/?since=2100-01-01T00:00")
        assert ("No failures match." in empty, "Nothing has failed." in empty) == (True, False)
        # What is no kind narrows nothing.
        assert n(kind="martians") == 2


class TestReassign:
    def test_a_void_assignment_goes_to_somebody_else(self, dialogue, organizing, campaign):
        other = Person.objects.create_user("other")
        campaign.roles.create(person=other, role=Role.TESTER)
        page = f"/campaigns/small/assignments/{dialogue.assignment_id}/"
        refused = organizing.post(page, {"tester": "other", "because": "ill &"})
        assert refused.status_code == 400
        assert 'value="ill &amp;"' in refused.content.decode()
        assert "declare that void first" in refused.content.decode()
        organizing.post(f"{LIST}{dialogue.pk}/void/", {"because": "x"})
        assert "other" in page_of(organizing, page)
        assert organizing.post(page, {"tester": "other", "because": "请假"}).status_code == 302
        dialogue.assignment.refresh_from_db()
        assert dialogue.assignment.tester == other
        line = TrailLine.objects.get(act="assignment.reassigned")
        assert (line.because, line.details["from"], line.details["to"]) == ("请假", "tester", "other")

    def test_where_nobody_is_left_to_take_it_the_reason_is_not_lost(self, dialogue, organizing, campaign, tester):
        answer = organizing.post(
            f"/campaigns/small/assignments/{dialogue.assignment_id}/", {"tester": "tester", "because": "ill"}
        )
        shown = answer.content.decode()
        assert (answer.status_code, shown.count('value="ill"'), "Nothing was changed" in shown) == (400, 1, True)

    def test_the_api_says_the_same(self, dialogue, organizing, campaign):
        organizing.post(f"{LIST}{dialogue.pk}/void/", {"because": "x"})
        address = f"/api/v1/campaigns/small/assignments/{dialogue.assignment_id}/"

        def post(**body):
            return organizing.post(address, body, content_type="application/json")

        assert post(tester="nobody", because="x").status_code == 400
        assert post(tester="tester", because="x").status_code == 409
        assert post(tester="reviewer", because="x").status_code == 409
        other = Person.objects.create_user("other")
        campaign.roles.create(person=other, role=Role.TESTER)
        assert post(tester="other").status_code == 400
        assert post(tester="other", because="请假", note="ignored").json()["tester"] == "other"
        (row,) = organizing.get("/api/v1/campaigns/small/assignments/").json()["results"]
        assert (row["tester"], row["has_begun"]) == ("other", True)
