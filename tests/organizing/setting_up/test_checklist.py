"""What a campaign still lacks, with the page where it is done."""

import pytest

from campaigns.models import Campaign
from organizing.setting_up.checklist import checklist
from tests.automatic_tasks.conftest import TASKS
from tests.automatic_tasks.test_loading import load

pytestmark = pytest.mark.django_db
TASK_SETUP = "/campaigns/small/task-setup/"


def addresses(campaign):
    return [todo.url for todo in checklist(campaign) if not todo.is_done]


def test_a_preset_whose_contest_had_automatic_tasks_leads_to_their_page_until_there_is_one(campaign):
    Campaign.objects.update(preset="smp2018")
    campaign.refresh_from_db()
    assert TASK_SETUP in addresses(campaign)
    load(TASKS)
    assert TASK_SETUP not in addresses(campaign)


def test_a_campaign_that_began_without_automatic_tasks_does_without_them(campaign, dialogue):
    Campaign.objects.update(preset="smp2018")
    campaign.refresh_from_db()
    assert TASK_SETUP not in addresses(campaign)
