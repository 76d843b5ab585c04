"""What is read of a dialogue for its sockets and its bot; a lost connection costs a second attempt, not the answer."""

import pytest
from asgiref.sync import async_to_sync
from django.db import OperationalError, connection

from campaigns.models import TeamMember
from dialogues.queries import briefing, last_seqs, look_up
from participants.models import Team
from tests.conftest import SMALL_CAMPAIGN, load_campaign, spec_of
from tests.serving.commits.test_group_commit import cut_off, needs_postgres, own_pid

pytestmark = [pytest.mark.django_db(transaction=True)]

RIVAL = """
[[bots]]
key = "b"
team = "津大"
name = "小津"
url = "http://127.0.0.1:9/"
"""


def test_the_names_of_the_own_team_and_of_rivals_are_masked(dialogue):
    load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace("[[scenarios]]", RIVAL + "[[scenarios]]", 1)))
    masker = briefing(dialogue.pk).masker
    assert masker.mask("Ｔeam alpha 比津大的小 津好") == "██████████ 比██的███好"


def test_teams_that_take_part_without_a_bot_are_rivals_too(dialogue, outsider):
    team = Team.objects.create(name="Quiet Ones")
    TeamMember.objects.create(campaign=dialogue.assignment.campaign, team=team, person=outsider)
    assert briefing(dialogue.pk).masker.mask("by quiet ones") == "by ██████████"


def test_what_the_campaign_lists_is_masked_also_with_two_letters(dialogue):
    campaign = dialogue.assignment.campaign
    campaign.masked_words = ["HW"]
    campaign.save()
    assert briefing(dialogue.pk).masker.mask("hw 的 hwy") == "██ 的 hwy"


def test_the_campaigns_language_and_its_words_for_the_context_reach_the_bot(dialogue):
    campaign, scenario = dialogue.assignment.campaign, dialogue.assignment.scenario
    campaign.language, campaign.context_message = "en", "Facts: {context}"
    campaign.save()
    scenario.context = {"城市": "成都"}
    scenario.save()
    known = briefing(dialogue.pk)
    assert (known.language, known.context.given) == ("en", {"城市": "成都"})
    assert known.context.in_words == 'Facts: {"城市":"成都"}'


def test_the_facts_of_the_goal_card_reach_the_bot_where_the_campaign_sends_them(dialogue):
    campaign, scenario = dialogue.assignment.campaign, dialogue.assignment.scenario
    scenario.facts, scenario.context, scenario.items = {"flight": {"to": "成都"}}, {"kb": []}, ["one"]
    scenario.save()
    assert briefing(dialogue.pk).context.given == {"kb": []}
    campaign.sends_goal = True
    campaign.save()
    assert briefing(dialogue.pk).context.given == {"kb": [], "goal": {"flight": {"to": "成都"}}}
    scenario.context = {"goal": "a flight"}
    scenario.save()
    assert briefing(dialogue.pk).context.given == {"goal": "a flight"}
    scenario.facts, scenario.context = {}, {}
    scenario.save()
    assert briefing(dialogue.pk).context.given == {}


def failing(n_times):
    left = [n_times]

    def query(answer):
        connection.ensure_connection()
        if left[0]:
            left[0] -= 1
            raise OperationalError("server closed the connection unexpectedly")
        return answer

    return query


def test_a_query_over_a_dead_connection_is_made_once_more():
    connection.ensure_connection()
    assert async_to_sync(look_up)(failing(1), "answer") == "answer"


def test_a_database_that_is_away_is_an_error():
    connection.ensure_connection()
    with pytest.raises(OperationalError):
        async_to_sync(look_up)(failing(2), "answer")


def test_a_new_connection_that_fails_is_not_tried_again():
    connection.close()
    with pytest.raises(OperationalError):
        async_to_sync(look_up)(failing(1), "answer")


def test_a_restart_of_postgresql_is_not_noticed_by_the_next_read():
    needs_postgres()
    pid = own_pid()
    cut_off(pid)
    assert async_to_sync(look_up)(own_pid) != pid


def test_last_numbers_are_those_of_dialogues_that_have_lines(dialogue):
    assert last_seqs([dialogue.pk]) == []
    type(dialogue).objects.update(last_seq=4)
    assert last_seqs([dialogue.pk]) == [(dialogue.pk, 4)]
    assert last_seqs([]) == []
