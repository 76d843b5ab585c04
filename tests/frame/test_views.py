"""The front page, a campaign's page, the parts, the icon."""

import pytest
from django.core.management import call_command
from django.template.loader import render_to_string
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from campaigns.actions import load_campaign
from campaigns.models import Campaign
from frame.campaign_progress import Standing
from frame.campaign_rows import CampaignRow, own_rows
from leaderboards.actions import refresh_leaderboard
from tests.conftest import PUBLISHED, SMALL_CAMPAIGN, spec_of
from tests.publishing import publish_now

pytestmark = pytest.mark.django_db


@pytest.fixture
def nobody():
    client = Client()
    client.cookies["django_language"] = "en"
    return client


def client_of(person) -> Client:
    person.language = "en"
    person.save()
    client = Client()
    client.force_login(person)
    return client


def test_the_front_page_names_public_campaigns_only(campaign, nobody):
    assert "Small" not in nobody.get("/").content.decode()
    campaign.is_announced = True
    campaign.save()
    page = nobody.get("/").content.decode()
    assert '<a class="medium" href="/campaigns/small/">Small</a>' in page
    assert "/campaigns/small/leaderboard/" not in page
    # A file may say so before anything is frozen: there is no board to read yet.
    campaign.is_published = True
    campaign.save()
    assert "/campaigns/small/leaderboard/" not in nobody.get("/").content.decode()
    publish_now(campaign)
    assert "/campaigns/small/leaderboard/" in nobody.get("/").content.decode()


def test_the_front_page_names_no_folder_and_no_command(nobody):
    page = nobody.get("/").content.decode()
    assert "manage.py" not in page
    assert "examples/" not in page


def test_pages_drawn_in_their_own_way_say_too_that_what_was_typed_is_back(nobody, dialogue):
    pages = [nobody.get("/"), client_of(dialogue.tester).get(f"/dialogues/{dialogue.pk}/")]
    assert [page.content.decode().count("data-typed-again") for page in pages] == [1, 1]


def test_people_find_their_campaigns_with_what_is_next(campaign, tester):
    page = client_of(tester).get("/").content.decode()
    assert "Open a dialogue" in page
    assert 'href="/campaigns/small/testing/"' in page


def test_a_list_of_campaigns_has_one_primary_button(campaign, tester):
    load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace('"small"', '"newer"')))
    page = client_of(tester).get("/").content.decode()
    assert (page.count('<a class="medium"'), page.count("button primary")) == (2, 1)


def test_the_campaign_in_which_something_is_to_be_done_comes_first(campaign, tester):
    newer, _summary = load_campaign(spec=spec_of(SMALL_CAMPAIGN.replace('"small"', '"newer"')))
    newer.free_choice = False
    newer.save()
    with override("en"):
        rows = own_rows(tester)
    assert [row.campaign.slug for row in rows] == ["small", "newer"]
    assert [row.first_to_do and row.first_to_do.title for row in rows] == ["Open a dialogue", None]
    page = client_of(tester).get("/").content.decode()
    assert page.count("button primary") == 1
    assert page.index("button primary") < page.index("/campaigns/newer/")
    assert "No assignments yet" in page


def test_where_nothing_waits_the_list_says_so(campaign, organizer):
    page = client_of(organizer).get("/").content.decode()
    assert "Nothing waits for you now." in page
    assert "button primary" not in page


def test_a_row_of_imported_records_says_how_many_they_are_and_no_dialogues_of_none(campaign):
    standing = Standing(2, 21, 0, 0, 0, 0, 0, 0, 126, None, None, is_published=False)
    with override("en"):
        row = render_to_string(
            "frame/_own_campaign.html", {"standing": standing, "row": CampaignRow(campaign, standing)}
        )
    assert "126 records" in row
    assert "/ 0" not in row


def test_the_pages_of_the_log_in_have_no_second_way_to_it(nobody):
    assert 'href="/login/"' in nobody.get("/about/").content.decode()
    assert 'href="/login/"' not in nobody.get("/login/").content.decode()


def test_people_without_a_role_are_told_who_adds_them(outsider):
    assert "An organizer adds you by your user name" in client_of(outsider).get("/").content.decode()


def test_a_campaign_page_is_for_its_people_until_it_is_public(campaign, nobody, outsider, reviewer):
    assert nobody.get("/campaigns/small/").headers["Location"] == "/login/?next=/campaigns/small/"
    assert client_of(outsider).get("/campaigns/small/").status_code == 404
    assert client_of(reviewer).get("/campaigns/small/").status_code == 200
    campaign.is_announced = True
    campaign.save()
    assert nobody.get("/campaigns/small/").status_code == 200
    assert client_of(outsider).get("/campaigns/small/").status_code == 200


def test_a_campaign_page_says_how_systems_are_compared(campaign, reviewer):
    page = client_of(reviewer).get("/campaigns/small/").content.decode()
    assert "First by C, then by T, Sa, F, G" in page
    assert "At most 3 turns per part" in page
    assert "Sa Satisfaction (−2 … 2)" in page


def test_a_published_campaign_shows_its_first_rows(db, nobody):
    call_command("import_records", str(PUBLISHED / "smp2018" / "records.jsonl"), campaign="paper", verbosity=0)
    paper = Campaign.objects.get(slug="paper")
    refresh_leaderboard(campaign=paper, at=timezone.now())
    assert "Whole leaderboard" not in nobody.get("/campaigns/paper/").content.decode()
    publish_now(paper)
    page = nobody.get("/campaigns/paper/", headers={"accept-language": "en"}).content.decode()
    results = page[page.index('class="box results"') : page.index("Whole leaderboard") + 20_000].split("</section>")[0]
    assert results.count("<tr>") == 1 + 5
    # Table A2 of SMP2018: the first system finished 39.7 % of its cases.
    assert "0.397" in results


def test_the_parts_are_for_staff(tester, nobody):
    assert nobody.get("/design/").status_code == 302
    assert client_of(tester).get("/design/").status_code == 404
    tester.is_staff = True
    assert client_of(tester).get("/design/").status_code == 200


def test_the_icon_is_an_ico_for_everybody(nobody):
    answer = nobody.get("/favicon.ico")
    assert answer.content[:6] == b"\x00\x00\x01\x00\x02\x00"
    assert answer.headers["Content-Type"] == "image/x-icon"


def test_ones_name_opens_a_menu_and_does_not_log_out(tester):
    page = client_of(tester).get("/").content.decode()
    before_the_menu, menu = page.split('<details class="menu">', 1)
    assert "/logout/" not in before_the_menu
    assert '<span class="hide-on-phone">tester</span>' in menu.split("</summary>")[0]
    assert 'action="/logout/"' in menu


def test_titles_differ(campaign, organizer, nobody):
    client = client_of(organizer)
    addresses = ["/", "/about/", "/campaigns/small/", "/campaigns/small/organize/", "/campaigns/small/tasks/",
                 "/campaigns/small/leaderboard/", "/nowhere/"]  # fmt: skip
    pages = [client.get(address) for address in addresses] + [nobody.get("/login/")]
    titles = [page.content.decode().split("<title>")[1].split("</title>")[0].strip() for page in pages]
    assert len(set(titles)) == len(titles), titles
