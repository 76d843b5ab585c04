"""Dialogues are found by what was said, noted and tagged in them, in Chinese too; by organizers alone, and not past an interest."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaigns.models import Role
from dialogues.actions import open_chosen_dialogue
from dialogues.actions.reports import report_problem
from organizing.dialogues.words import passages_of, words_of
from participants.failures import FailureKind
from reviews.models import Remark
from tests.conftest import Admitted
from tests.dialogues.test_actions import Talk
from tests.reviews.conftest import person, submit

pytestmark = pytest.mark.django_db
API = "/api/v1/campaigns/small/dialogues/"
PAGE = "/campaigns/small/dialogues/"


@pytest.fixture
def organizing(organizer):
    client = Client()
    client.force_login(organizer)
    return client


def talked(campaign, tester, said, answered):
    dialogue = open_chosen_dialogue(
        campaign=campaign, tester=tester, entry=campaign.entries.get(), scenario=campaign.scenarios.get(),
        at=timezone.now(),
    )  # fmt: skip
    talk = Talk(dialogue, Admitted(tester))
    talk.answer(talk.send(text=said).asked, text=answered)
    return dialogue, talk


@pytest.fixture
def two(campaign, tester):
    first, _talk = talked(campaign, tester, "我要去北京", '好的，"经济舱"可以吗？')
    second, other = talked(campaign, tester, "Book a ROOM in Shanghai", "Which \\ hotel? 100% sure_")
    return first, second, other


def found(client, words, **more):
    return {row["id"] for row in client.get(API, {"words": words} | more).json()["results"]}


@pytest.mark.parametrize(
    ("words", "which"),
    [
        ("北京", 0), ("经济舱", 0), ("北京 经济舱", 0), ('"去北京"', 0), ("room", 1), ("HOTEL", 1), ('"room in"', 1), ("100% sure_", 1),
        ("\\", 1), ("北京 room", None), ("南京", None), ("%", 1),
    ],
)  # fmt: skip
def test_what_was_said_or_answered_is_found_whatever_its_case(organizing, two, words, which):
    assert found(organizing, words) == (set() if which is None else {str(two[which].pk)})


def test_notes_and_tags_are_found_each_in_its_place(organizing, campaign, two, tester):
    first, second, talk = two
    report_problem(dialogue=first, person=tester, turn=None, text="按钮没有反应", at=timezone.now())
    Remark.objects.create(dialogue=second, reviewer=tester, kind="leaked", text="names itself", at=timezone.now())
    talk.fail(talk.send("k2").asked, FailureKind.HTTP_5XX, status=502)
    assert found(organizing, "按钮") == found(organizing, "按钮", where="notes") == {str(first.pk)}
    assert found(organizing, "itself", where="notes") == {str(second.pk)}
    assert found(organizing, "http_5xx") == found(organizing, "http_5xx", where="tags") == {str(second.pk)}
    assert found(organizing, "按钮", where="said") == found(organizing, "北京", where="notes") == set()


def test_a_comment_is_found_once_it_is_handed_in(organizing, campaign, two, tester):
    _first, second, talk = two
    talk.end()
    submit(second, tester, comment="very polite")
    assert found(organizing, "polite") == {str(second.pk)}


def test_the_list_shows_where_it_was_said_and_its_address_is_the_link(organizing, two):
    page = organizing.get(PAGE, {"words": "经济舱", "state": "open"}).content.decode()
    assert "<mark>经济舱</mark>" in page
    assert "#turn-1" in page
    assert 'value="经济舱"' in page


def test_a_passage_is_cut_around_the_word(campaign, two):
    (passage,) = passages_of([two[0].pk], ["北京"]).values()
    assert (passage.turn, passage.before, passage.word, passage.after) == (1, "我要去", "北京", "")


def test_at_most_five_words_are_searched_for():
    assert words_of('a "b  c" d a e f g') == ["a", "b  c", "d", "e", "f"]
    assert words_of('  "" ') == []


def test_a_search_asks_no_more_often_for_more_dialogues(organizing, campaign, two, tester):
    def asked():
        with CaptureQueriesContext(connection) as queries:
            assert organizing.get(PAGE, {"words": "北京 舱"}).status_code == 200
        return len(queries)

    asked()  # what stays in memory is read by the first
    before = asked()
    for _ in range(5):
        talked(campaign, tester, "北京", "舱")
    assert asked() == before


def test_who_has_an_interest_finds_none_of_it(campaign, two):
    member = person(campaign, "member", Role.ORGANIZER)
    campaign.team_members.create(person=member, team=campaign.entries.get().bot.team)
    client = Client()
    client.force_login(member)
    assert found(client, "北京") == set()


def test_others_search_nothing(two, tester, client):
    client.force_login(tester)
    assert client.get(API, {"words": "北京"}).status_code == 404
    assert client.get(PAGE, {"words": "北京"}).status_code == 404
