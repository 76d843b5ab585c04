"""Site organizers make campaigns on a page and by the API; nobody else finds either."""

import pytest

from campaigns.models import Campaign, Role

pytestmark = pytest.mark.django_db
PAGE, API = "/campaigns/new/", "/api/v1/campaigns/"
SENT = {
    "start": "msde",
    "slug": "fresh",
    "name_zh": "新评测",
    "name_en": "New one",
    "testing_until": "2099-01-01T00:00",
}


@pytest.fixture
def staff(client, organizer):
    organizer.is_staff = True
    organizer.save()
    client.force_login(organizer)
    return client


def test_a_campaign_is_made_and_says_what_it_still_lacks(staff, organizer):
    answer = staff.post(PAGE, SENT, follow=True)
    assert answer.redirect_chain == [("/campaigns/fresh/", 302)]
    fresh = Campaign.objects.get(slug="fresh")
    assert (fresh.preset, fresh.testing_until.year) == ("msde", 2098)
    kinds = [todo.url for todo in answer.context["checklist"] if not todo.is_done]
    # Scenarios, systems, testers, a plan, then experts and reviewers whom MSDE asks for, and its automatic task; dates are set.
    assert len(kinds) == 7
    assert "/campaigns/fresh/calendar/" not in kinds


def test_what_is_wrong_stands_beside_its_field_and_what_was_typed_stays(staff):
    page = staff.post(PAGE, SENT | {"slug": "small"})
    assert (page.status_code, 'value="small"' in page.content.decode()) == (422, True)
    assert page.content.decode().count('aria-invalid="true"') == 1
    assert 'value="msde" checked' in page.content.decode()
    assert '<span class="nowrap">\u22122…2,</span>' in page.content.decode()


def test_a_copy_is_offered_of_what_one_organizes_alone(staff, campaign):
    Campaign.objects.create(slug="foreign", name_zh="x", name_en="x", preset="smp2018", rubric=campaign.rubric)
    page = staff.get(PAGE).content.decode()
    assert "copy:small" in page
    assert "copy:foreign" not in page
    assert staff.post(PAGE, SENT | {"start": "copy:foreign"}).status_code == 422
    assert staff.post(PAGE, SENT | {"start": "copy:small"}).status_code == 302
    assert Campaign.objects.get(slug="fresh").scenarios.count() == 1


@pytest.mark.parametrize("role", [Role.ORGANIZER, None])
def test_others_find_no_page_and_no_route(client, organizer, outsider, role):
    client.force_login(organizer if role else outsider)
    assert client.get(PAGE).status_code == 404
    assert client.post(PAGE, SENT).status_code == 404
    assert client.post(API, {}, content_type="application/json").status_code == 404


def test_a_program_makes_one_too(staff):
    body = {"preset": "smp2018", "slug": "fresh", "name_en": "New one", "testing_until": "2099-01-01T00:00:00+08:00"}
    assert staff.post(API, body, content_type="application/json").status_code == 201
    assert Campaign.objects.get(slug="fresh").testing_until.isoformat() == "2098-12-31T16:00:00+00:00"
    again = staff.post(API, body | {"preset": "x", "ends_at": "soon"}, content_type="application/json")
    assert sorted(again.json()["fields"]) == ["ends_at", "preset"]
    taken = staff.post(API, body, content_type="application/json")
    assert list(taken.json()["fields"]) == ["slug"]
    copied = {"copy_of": "small", "slug": "again", "name_zh": "再来"}
    assert staff.post(API, copied, content_type="application/json").json() == {"slug": "again"}
    assert staff.get("/api/v1/presets/").json()[0]["key"] == "msde"
