import json

import pytest
from django.urls import reverse

from accounts.models import Person
from audit.actions import record
from organizing import trail_page as views
from tests.organizing.trail.conftest import NOON, NOTED, client_of
from tests.trail import lines_of

pytestmark = pytest.mark.django_db
HERE = "/campaigns/small/trail/"


@pytest.fixture
def staff():
    return Person.objects.create_user("staff", is_staff=True)


def page(person, address=HERE):
    answer = client_of(person).get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def test_an_organizer_reads_what_was_done_in_the_campaign_and_nothing_else(lines, organizer):
    text = page(organizer)
    assert "paused the system K7" in text
    assert "slow" in text
    assert "a 1 → 2" in text
    assert "of another campaign" not in text
    assert "noted a login" not in text


def test_the_whole_trail_is_the_staffs(lines, staff, organizer):
    text = page(staff, "/trail/")
    assert "of another campaign" in text
    assert "noted a login" in text
    for address in ("/trail/", "/trail/lines.csv", "/api/v1/trail/"):
        assert client_of(organizer).get(address).status_code == 404


def test_what_was_asked_for_stands_in_the_form_and_the_rest_is_not_shown(lines, organizer):
    text = page(organizer, f"{HERE}?person=tester&act=test.noted")
    assert 'value="tester"' in text
    assert '<option value="test.noted" selected>' in text
    assert 'id="line-' in text
    assert "slow" not in text


def test_a_word_that_cannot_be_asked_is_named_beside_its_field(lines, organizer):
    answer = client_of(organizer).get(f"{HERE}?since=yesterday")
    assert answer.status_code == 400
    assert 'aria-invalid="true"' in answer.content.decode()
    assert 'value="yesterday"' in answer.content.decode()


def test_pages_follow_each_other_without_losing_or_repeating_a_line(campaign, organizer, monkeypatch):
    monkeypatch.setattr(views, "SHOWN_LINES", 2)
    for number in range(5):
        record(NOTED, by=organizer, at=NOON, campaign="small", about=f"no {number}")
    client, address, seen = client_of(organizer), f"{HERE}?act=test.noted", []
    while address:
        shown = client.get(address).context
        seen += [line.about for line, *_rest in shown["rows"]]
        address = f"{HERE}?{shown['older']}" if shown["older"] else ""
    assert seen == [f"no {number}" for number in (4, 3, 2, 1, 0)]


def test_a_page_takes_two_queries_however_long_the_trail_is(lines, organizer, django_assert_max_num_queries):
    client = client_of(organizer)
    client.get(HERE)
    with django_assert_max_num_queries(10):
        client.get(HERE)


@pytest.mark.parametrize("format", ["csv", "jsonl"])
def test_the_file_holds_all_lines_that_fit_and_is_an_export_itself(lines, organizer, format):
    client = client_of(organizer)
    with lines_of() as added:
        answer = client.get(f"{HERE}lines.{format}?act=bot.paused")
        content = b"".join(answer.streaming_content).decode()
    assert content.count("bot.paused") == 2
    assert "another campaign" not in content
    assert [(line.act, line.person, line.campaign, line.about, line.details) for line in added] == [
        ("export.made", "organizer", "small", "trail", {"format": format})
    ]


def test_there_is_no_other_format(lines, organizer):
    assert client_of(organizer).get(f"{HERE}lines.xml").status_code == 404


def test_text_of_people_is_text(campaign, organizer):
    record(NOTED, by=organizer, at=NOON, campaign="small", about="<b>x</b>", because="<script>", details={"<i>": "<u>"})
    text = page(organizer)
    assert "<script>" not in text.replace("<script type", "")
    assert "<u>" not in text
    assert "<b>x" not in text


def test_nothing_done_says_so(campaign, organizer):
    assert "No line fits" in page(organizer, f"{HERE}?person=tester")


def test_programs_get_the_same_lines_page_by_page(lines, organizer, monkeypatch):
    monkeypatch.setattr("organizing.trail_page.LINES_PER_ANSWER", 3)
    client = client_of(organizer)
    first = client.get("/api/v1/campaigns/small/trail/").json()
    numbers = [line["number"] for line in first["lines"]]
    assert numbers == [lines[place].number for place in (3, 2, 1)]
    assert first["lines"][0]["because"] == "=1+1"
    rest = client.get(f"/api/v1/campaigns/small/trail/?before={first['before']}&act=bot.paused").json()
    assert [line["number"] for line in rest["lines"]] == [lines[0].number]
    assert rest["before"] is None
    wrong = client.get("/api/v1/campaigns/small/trail/?until=x")
    assert wrong.status_code == 400
    assert "until" in json.dumps(wrong.json())


def test_staff_asks_across_campaigns(lines, staff):
    rows = client_of(staff).get("/api/v1/trail/?campaign=other").json()["lines"]
    assert [row["because"] for row in rows] == ["of another campaign"]


def test_the_page_is_a_tab_of_the_organizer(campaign, organizer):
    assert f'href="{reverse("trail", args=["small"])}"' in page(organizer, "/campaigns/small/organize/")


def test_what_was_done_about_an_object_is_one_click_away(campaign, dialogue, organizer, tester):
    alias = campaign.entries.get().alias
    for address, link in (
        (f"/campaigns/small/dialogues/{dialogue.pk}/", f"{HERE}?about={dialogue.pk}"),
        (f"/campaigns/small/coverage/?by=scenario&chosen={alias}", f"{HERE}?about={alias}"),
        (f"/campaigns/small/people/{tester.pk}/", f"{HERE}?person=tester"),
    ):
        assert f'href="{link}"' in page(organizer, address)
