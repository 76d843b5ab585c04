"""Scenarios in the browser: the table, the form, how the tester sees one, importing a table, taking one out."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.translation import override

from accounts.models import Person
from audit.models import TrailLine
from campaigns.actions import load_campaign
from organizing.scenarios.examples import example_of
from reading.checking import BadFile
from tests.conftest import SMALL_CAMPAIGN, spec_of
from tests.organizing.file.test_views import hidden_in

pytestmark = pytest.mark.django_db
PAGE = "/campaigns/small/scenarios/"
KEY = "flight-then-hotel"
ONE = f"{PAGE}one/{KEY}/"
TYPED = {
    "key": "own",
    "title_zh": "我的",
    "opening": "订机票",
    "part_kind": ["flight", "hotel"],
    "part_cap": ["4", "5"],
    "fact_part": ["flight"],
    "fact_name": ["from"],
    "fact_kind": ["text"],
    "fact_value": ["北京"],
}


@pytest.fixture
def organizing(campaign, organizer):
    Person.objects.update(language="en")
    client = Client()
    client.force_login(organizer)
    return client


def shown(client, address):
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def lines_after(n):
    return [(line.act, line.about, line.person) for line in TrailLine.objects.order_by("number")[n:]]


def as_typed(scenario):
    return [(one.kind, one.turn_cap) for one in scenario.subtasks.all()]


def test_the_table_says_what_each_is_made_of_and_whether_it_may_change(organizing, dialogue):
    page = shown(organizing, PAGE)
    assert "3 + 2" in page
    assert "titles and instructions" in page
    assert '<td class="number">1</td>' in page


def test_a_scenario_is_written_in_the_browser_and_leaves_one_line(organizing, campaign):
    n = TrailLine.objects.count()
    assert organizing.post(f"{PAGE}new/", TYPED).status_code == 302
    made = campaign.scenarios.get(key="own")
    assert (made.title_zh, made.facts, made.origin) == ("我的", {"flight": {"from": "北京"}}, "page")
    assert as_typed(made) == [("flight", 4), ("hotel", 5)]
    assert lines_after(n) == [("scenario.stored", "own", "organizer")]
    organizing.post(f"{PAGE}one/own/", TYPED)
    assert len(lines_after(n)) == 1, "nothing new leaves no line"


def test_what_is_wrong_stands_beside_its_field_and_what_was_typed_stays(organizing, campaign):
    wrong = {"key": "not ok", "part_cap": ["4", "0"], "fact_kind": ["number"], "fact_value": ["北京 7"]}
    answer = organizing.post(f"{PAGE}new/", TYPED | wrong)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "must be letters, digits, - and _" in page
    first, second = page.split('<div class="editor-row part-row" data-row>')[1:3]
    assert "must be a whole number from 1 to 1000, not 0" not in first
    assert "must be a whole number from 1 to 1000, not 0" in second
    assert "“北京 7” is not a number" in page
    assert 'value="北京 7"' in page
    assert organizing.post(f"{PAGE}new/", TYPED | {"key": KEY}).status_code == 422
    assert campaign.scenarios.count() == 1


def test_without_its_only_part_a_scenario_that_has_not_begun_is_refused(organizing, campaign):
    """The browser leaves the rows out as it does for one that has begun: nothing may come from the database instead."""
    sent = {name: value for name, value in TYPED.items() if name not in ("part_kind", "part_cap")}
    answer = organizing.post(ONE, sent | {"context": "policy.refund = 7"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert '<div class="editor-row part-row" data-row>' not in page.split("<template")[0]
    assert "policy.refund = 7" in page
    stored = campaign.scenarios.get()
    assert (as_typed(stored), stored.context) == ([("flight", 3), ("hotel", 2)], {})


def test_a_blank_row_says_nothing_and_problems_keep_to_their_rows(organizing, campaign):
    parts = {"part_kind": ["", "flight", ""], "part_cap": ["", "2000", ""]}
    page = organizing.post(f"{PAGE}new/", TYPED | parts).content.decode()
    blank, wrong = page.split('<div class="editor-row part-row" data-row>')[1:3]
    assert "whole number" not in blank
    assert "whole number" in wrong
    organizing.post(f"{PAGE}new/", TYPED | parts | {"part_cap": ["", "20", ""]})
    assert as_typed(campaign.scenarios.get(key="own")) == [("flight", 20)]


def test_without_a_script_rows_are_added_moved_and_removed_by_the_server(organizing, campaign):
    def kinds(act):
        page = organizing.post(f"{PAGE}new/", TYPED | {"act": act}).content.decode()
        return re.findall(r'name="part_kind"\s+value="(\w*)"', page)[:-1]

    assert kinds("parts.add") == ["flight", "hotel", ""]
    assert kinds("parts.up.1") == ["hotel", "flight"]
    assert kinds("parts.down.0") == ["hotel", "flight"]
    assert kinds("parts.remove.0") == ["hotel"]
    assert kinds("parts.remove.9") == kinds("nothing.known") == ["flight", "hotel"]
    assert campaign.scenarios.count() == 1, "nothing is stored by that"


def test_the_goal_card_is_drawn_of_what_is_typed_and_nothing_is_stored(organizing, campaign):
    half_done = TYPED | {"act": "draw", "part_cap": ["x", ""], "fact_name": [""], "key": ""}
    card = organizing.post(f"{PAGE}new/", half_done).content.decode()
    assert "我的" in card
    assert "<html" not in card
    card = organizing.post(ONE, TYPED | {"act": "draw"}).content.decode()
    assert "北京" in card
    assert campaign.scenarios.get().title_zh != "我的"


def test_facts_in_another_order_are_stored_so_also_where_the_file_said_them(organizing, campaign):
    facts = {"fact_part": ["", ""], "fact_name": ["to", "from"], "fact_kind": ["text"] * 2, "fact_value": ["甲", "乙"]}
    organizing.post(ONE, TYPED | facts)
    organizing.post(ONE, TYPED | {name: said[::-1] for name, said in facts.items()})
    assert [*campaign.scenarios.get().facts] == ["from", "to"]


def test_what_is_changed_in_the_browser_is_not_taken_back_by_the_file(organizing, campaign):
    organizing.post(ONE, TYPED | {"title_en": "Changed"})
    changed = campaign.scenarios.get()
    assert (changed.key, changed.title_en, changed.origin) == (KEY, "Changed", "page")
    with override("en"), pytest.raises(BadFile, match="was made or changed in the browser"):
        load_campaign(spec=spec_of(SMALL_CAMPAIGN))


def test_once_a_dialogue_is_open_only_words_may_change(organizing, campaign, dialogue):
    page = shown(organizing, ONE)
    assert "may still change" in page
    assert f"{ONE}remove/" not in page
    assert organizing.post(ONE, TYPED).status_code == 422
    before = campaign.scenarios.get()
    assert organizing.post(ONE, {"title_zh": "只改标题"}).status_code == 302
    after = campaign.scenarios.get()
    assert (after.title_zh, after.facts, after.opening) == ("只改标题", before.facts, before.opening)
    assert as_typed(after) == [("flight", 3), ("hotel", 2)]
    answer = organizing.post(f"{ONE}remove/", follow=True)
    assert "it stays" in answer.content.decode()
    assert campaign.scenarios.count() == 1


def test_a_scenario_that_nothing_needs_is_removed_with_its_assignments(organizing, campaign):
    campaign.free_choice = False
    campaign.save()
    load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace("free_choice = true", "free_choice = false")))
    assert campaign.assignments.exists()
    n = TrailLine.objects.count()
    organizing.post(f"{ONE}remove/")
    assert not campaign.scenarios.exists()
    assert lines_after(n) == [("scenario.removed", KEY, "organizer")]


def test_the_preview_is_the_goal_card_of_the_console(organizing):
    page = shown(organizing, f"{ONE}preview/")
    assert 'class="goal"' in page
    assert "北京" in page
    assert "云栖" in page


@pytest.mark.parametrize("format", ["csv", "xlsx", "json", "jsonl"])
def test_a_table_is_shown_first_and_imported_by_one_confirmation(organizing, campaign, format):
    file = SimpleUploadedFile(f"cases.{format}", organizing.get(f"{PAGE}example/{format}/").content)
    answer = organizing.post(f"{PAGE}import/", {"file": file})
    assert "scenario case-01 added" in answer.content.decode()
    assert campaign.scenarios.count() == 1
    n = TrailLine.objects.count()
    organizing.post(f"{PAGE}import/", hidden_in(answer, act="import"))
    assert as_typed(campaign.scenarios.get(key="case-02")) == [("flight", 20), ("hotel", 20)]
    assert lines_after(n) == [("scenarios.imported", f"cases.{format}", "organizer")]


def test_a_table_with_problems_names_them_all_and_stores_nothing(organizing, campaign):
    file = SimpleUploadedFile("x.csv", b"key,subtasks\nimported,flight\nown,flight: 0\n")
    answer = organizing.post(f"{PAGE}import/", {"file": file})
    assert answer.status_code == 422
    assert "<code>row 3, subtasks[0].turn_cap</code>" in answer.content.decode()
    file = SimpleUploadedFile("x.csv", b"key,subtasks\nimported,flight\n")
    assert "<code>row 2, key</code> is reserved" in organizing.post(f"{PAGE}import/", {"file": file}).content.decode()
    assert campaign.scenarios.count() == 1


def test_an_import_that_would_change_something_else_by_now_is_shown_again(organizing, campaign):
    file = SimpleUploadedFile("cases.json", example_of("json"))
    answer = organizing.post(f"{PAGE}import/", {"file": file})
    campaign.scenarios.update(title_en="another")
    again = organizing.post(f"{PAGE}import/", hidden_in(answer, act="import"))
    assert "Something has changed in the meantime" in again.content.decode()
    assert campaign.scenarios.count() == 1
    sent = hidden_in(again, act="import")
    del sent["previewed"]
    organizing.post(f"{PAGE}import/", sent)
    assert campaign.scenarios.count() == 1, "nobody was shown anything"
