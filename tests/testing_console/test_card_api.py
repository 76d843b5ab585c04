import pytest
from django.test import Client

from accounts.models import Person

pytestmark = pytest.mark.django_db


def card_for(person, dialogue):
    client = Client()
    client.force_login(person)
    return client.get(f"/api/v1/dialogues/{dialogue.pk}/card/")


def test_a_program_reads_what_a_tester_reads(dialogue, tester):
    card = card_for(tester, dialogue).json()
    assert card["title"] == {"zh": "机票和酒店", "en": "Flight and hotel"}
    assert card["opening"] == {"zh": "帮我订一张从北京到上海的飞机票", "en": ""}
    assert card["subtasks"] == [
        {"index": 1, "kind": "flight", "turn_cap": 3}, {"index": 2, "kind": "hotel", "turn_cap": 2},
    ]  # fmt: skip
    assert card["facts"]["flight"] == {"from": "北京", "to": "上海"}
    assert (card["scenario"], card["turn_cap"], card["items"]) == ("flight-then-hotel", None, [])


def test_it_tells_nothing_of_the_team(dialogue, tester):
    assert "Alpha" not in card_for(tester, dialogue).content.decode()


def test_the_card_of_another_tester_is_not_found(dialogue, campaign):
    other = Person.objects.create_user("other")
    campaign.roles.create(person=other, role="tester")
    assert card_for(other, dialogue).status_code == 404
