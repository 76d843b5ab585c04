"""Every page about one campaign writes its moments on the campaign's clocks, each with its offset; the routes come from the resolver."""

import re

import pytest
from django.test import Client
from django.urls import resolve
from django.utils import timezone
from django.utils.html import strip_tags

from campaigns.models import Campaign
from config.settings import BASE_DIR
from dialogues.models import Dialogue
from tests.contest import grow
from tests.test_contest_queries import pages, readers, reads_what_is_over
from tests.world import frozen, people, run

__all__ = ["frozen", "pages", "people", "readers", "run"]
pytestmark = pytest.mark.django_db

# Half an hour beside all others, so that no other zone passes for it; -02:30 in summer.
ZONE, OFFSETS = "America/St_Johns", {"UTC-03:30", "UTC-02:30"}
CLOCK = re.compile(r"\d\d-\d\d \d\d:\d\d(?::\d\d)?(?P<offset> \(UTC[+-]\d\d:\d\d\))?")
# What a script or a style says is no text of the page, and what stands as code is to be typed so.
UNSEEN = re.compile(r"<(script|style|textarea|code)\b.*?</\1>", re.DOTALL)
OTHER_WAY = re.compile(r"\|date:[^|}]*H|\|time\b|%H:%M")
OF_ONE_CAMPAIGN = {"console", "review", "vetting", "assignment-open"}


def moments_in(page):
    return list(CLOCK.finditer(strip_tags(UNSEEN.sub("", page))))


def test_a_moment_without_its_offset_is_found():
    assert [m["offset"] for m in moments_in("<p>until <b>2026-12-04 08:30</b></p>")] == [None]
    assert [m["offset"] for m in moments_in("<p>12-04 08:30:05 (UTC+08:00)</p>")] == [" (UTC+08:00)"]
    assert moments_in('<script>"2026-12-04 08:30"</script>') == []


# Values of fields, which browsers want bare; and the hours under a drawing, whose caption names the zone.
BARE = {"organizing/dialogues/_filter_span.html", "publication/_publish_form.html", "team_desk/_day.html"}


def test_no_template_writes_a_time_of_day_by_another_filter():
    folder = BASE_DIR / "templates"
    files = [path for path in folder.rglob("*") if path.is_file()]
    found = {str(path.relative_to(folder)) for path in files if OTHER_WAY.search(path.read_text())}
    assert found == BARE


def test_every_moment_on_every_page_names_the_zone_of_the_campaign(campaign, dialogue, pages, readers):
    grow(campaign)
    Campaign.objects.update(time_zone=ZONE)
    n_found, wrong = 0, set()
    for page in pages:
        name, who, address = page
        if reads_what_is_over(page):
            Dialogue.objects.filter(pk=dialogue.pk).update(status="completed", closed_at=timezone.now())
        answer = readers[who].get(address)
        if answer.status_code != 200 or not answer.headers["Content-Type"].startswith("text/html"):
            continue
        shown = answer.content.decode()
        is_of_campaign = "slug" in resolve(address.partition("?")[0]).kwargs or name in OF_ONE_CAMPAIGN
        zones = OFFSETS if is_of_campaign else {"UTC+08:00", *OFFSETS}
        if is_of_campaign and f'data-time-zone="{ZONE}"' not in shown:
            wrong.add((name, "is not on the campaign's clocks"))
        found = moments_in(shown)
        n_found += len(found)
        wrong |= {(name, one["offset"]) for one in found if (one["offset"] or "").strip(" ()") not in zones}
    assert wrong == set()
    assert n_found > 100


def test_a_request_begins_on_the_clocks_of_the_site(campaign, organizer):
    """Its thread has just answered one about a campaign elsewhere."""
    Campaign.objects.update(time_zone=ZONE)
    client = Client()
    client.force_login(organizer)
    assert f'data-time-zone="{ZONE}"' in client.get("/campaigns/small/people/").content.decode()
    assert 'data-time-zone="Asia/Shanghai"' in client.get("/account/sessions/").content.decode()
    assert timezone.get_current_timezone_name() == "Asia/Shanghai"
