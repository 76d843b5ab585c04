"""The people of a campaign, in a browser."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import OneTimeLink, Person
from audit.models import TrailLine
from campaigns.actions.people import pause_person
from campaigns.models import Campaign, Role
from registration.actions import approve_application
from registration.models import Invitation
from tests.campaigns.test_assigning import begin, drawn, first_of_each_tester
from tests.registration.conftest import apply

__all__ = ["drawn"]
pytestmark = pytest.mark.django_db


def client_of(person) -> Client:
    Person.objects.filter(pk=person.pk).update(language="en")
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def managing(organizer) -> Client:
    return client_of(organizer)


def people(path="") -> str:
    return f"/campaigns/small/people/{path}"


def test_everybody_is_listed_with_roles_team_and_work(managing, campaign, dialogue, tester):
    page = managing.get(people()).content.decode()
    for said in ("tester", "reviewer", "Team Alpha", "dialogues: 0 done, 0 left", "never"):
        assert said in page
    assert re.search(r"Last seen", page)
    assert page.count("<tr>") == 5


def test_a_plan_without_anything_for_a_tester_leads_to_the_drawing(managing, campaign):
    Campaign.objects.update(free_choice=False)
    page = managing.get(people()).content.decode()
    assert "1 tester has no assignments: draw them." in page


def test_a_pasted_list_becomes_links_that_are_shown_once(managing, campaign):
    pasted = "zhang@example.org\nli, reviewer\nhan, participant, Team Alpha"
    form = {"pasted": pasted, "role": ["tester"], "days": "3"}
    answer = managing.post(people("invitations/"), form)
    page = answer.content.decode()
    links = set(re.findall(r"http://testserver(/invitations/[\w-]{43}/)", page))
    assert len(links) == 3
    assert page.count('src="data:image/svg+xml') == 3
    assert "no-store" in answer.headers["Cache-Control"]
    assert not re.search(r"/invitations/[\w-]{43}/", managing.get(people("invitations/")).content.decode())
    roles = dict(Invitation.objects.values_list("name", "roles"))
    assert roles == {"zhang@example.org": ["tester"], "li": ["reviewer"], "han": ["participant"]}
    for link in links:
        assert Client().get(link).status_code == 200


def test_the_members_of_an_approved_application_are_filled_in(managing, campaign, organizer):
    campaign.takes_applications = True
    campaign.save()
    application = apply(campaign, Person.objects.create_user("captain"))
    address = people(f"invitations/?application={application.pk}")
    assert "li@example.org" not in managing.get(address).content.decode()
    application.members.append("mallory@example.org, organizer")
    application.save()
    approve_application(application=application, by=organizer, at=timezone.now())
    assert address in managing.get("/campaigns/small/teams/").content.decode()
    page = managing.get(address).content.decode()
    assert "wang\nli@example.org</textarea>" in page
    assert 'value="participant" checked' in page
    assert 'value="北辰队"' in page


def test_links_begin_with_the_configured_site(managing, campaign, settings):
    settings.SITE_URL = "https://huace.example.org"
    page = managing.post(people("invitations/"), {"pasted": "li", "role": "tester"}).content.decode()
    assert re.search(r"https://huace\.example\.org/invitations/[\w-]{43}/", page)
    assert "http://testserver/invitations/" not in page


def test_the_text_for_a_mail_is_in_both_languages_with_roles_of_each(managing, campaign):
    page = managing.post(people("invitations/"), {"pasted": "li@example.org", "role": "tester"}).content.decode()
    texts = re.findall(r"<textarea[^>]*aria-label=\"([^\"]+)\"[^>]*>([^<]+)</textarea>", page)
    assert [name for name, _ in texts] == ["中文", "English"]
    assert "小评测" in texts[0][1]
    assert "Small" in texts[1][1]
    assert 'href="mailto:li%40example.org?' in page


def test_every_bad_line_is_named_nobody_is_invited_and_what_was_typed_stays(managing, campaign):
    pasted = "zhang@\nli, <boss>\nok@example.org"
    answer = managing.post(people("invitations/"), {"pasted": pasted, "role": "reviewer", "team": "x", "days": "9"})
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "line 1: “zhang@” is not an e-mail address" in page
    assert "line 2: “&lt;boss&gt;” is not a role" in page
    assert "zhang@\nli, &lt;boss&gt;\nok@example.org</textarea>" in page
    assert re.search(r'value="reviewer"\s+checked', page)
    assert not Invitation.objects.exists()


def test_an_invitation_is_withdrawn_and_renewed_and_the_list_says_by_whom(managing, campaign):
    managing.post(people("invitations/"), {"pasted": "li", "role": "tester"})
    invitation = Invitation.objects.get()
    page = managing.post(people(f"invitations/{invitation.pk}/withdraw/"), follow=True).content.decode()
    assert re.search(r"revoked\s*</span>\s*<small>\s*<time [^>]+>[^<]+</time> organizer\s*</small>", page)
    page = managing.post(people(f"invitations/{invitation.pk}/renew/")).content.decode()
    assert re.search(r"/invitations/[\w-]{43}/", page)
    assert "pending" in page
    Invitation.objects.update(used_at=timezone.now())
    for act in ("withdraw", "renew"):
        answer = managing.post(people(f"invitations/{invitation.pk}/{act}/"), follow=True)
        assert "was used or withdrawn in the meantime" in answer.content.decode()


def test_nothing_of_another_campaign_is_reached(managing, campaign, outsider, organizer):
    other = Campaign.objects.get()
    other.pk, other.slug = None, "other"
    other.save()
    other.roles.create(person=outsider, role=Role.TESTER)
    at = timezone.now()
    theirs = Invitation.objects.create(campaign=other, digest="0", made_at=at, expires_at=at + timedelta(days=1))
    for path in (f"{outsider.pk}/", f"{outsider.pk}/leave/"):
        assert managing.get(people(path)).status_code == 404
    for path in (
        f"{outsider.pk}/change/", f"{outsider.pk}/password-link/", f"invitations/{theirs.pk}/withdraw/",
        f"invitations/{theirs.pk}/renew/",
    ):  # fmt: skip
        assert managing.post(people(path), {"act": "pause", "because": "x"}).status_code == 404
    assert managing.get("/campaigns/other/people/").status_code == 404


def test_roles_are_given_and_taken_and_the_last_organizer_stays(managing, campaign, tester, organizer):
    managing.post(people(f"{tester.pk}/change/"), {"act": "give", "role": "organizer", "because": "more hands"})
    assert campaign.roles.filter(person=tester, role="organizer").exists()
    managing.post(people(f"{tester.pk}/change/"), {"act": "take", "role": "organizer", "because": "done"})
    assert not campaign.roles.filter(person=tester, role="organizer").exists()
    last = {"act": "take", "role": "organizer", "because": "done"}
    answer = managing.post(people(f"{organizer.pk}/change/"), last, follow=True)
    assert "organizer is the last organizer" in answer.content.decode()
    assert campaign.roles.filter(person=organizer, role="organizer").exists()


def test_a_role_is_not_given_without_a_reason_and_stays_chosen(managing, campaign, tester):
    answer = managing.post(people(f"{tester.pk}/change/"), {"act": "give", "role": "expert", "because": " "})
    page = answer.content.decode()
    assert (answer.status_code, page.count("Say why")) == (409, 1)
    assert '<option value="expert" selected>' in page
    assert not campaign.roles.filter(person=tester, role=Role.EXPERT).exists()


def test_a_role_is_not_taken_without_a_reason_and_says_so_beside_its_field(managing, campaign, organizer, tester):
    for role in (Role.EXPERT, Role.ADJUDICATOR):
        campaign.roles.create(person=tester, role=role)
    answer = managing.post(people(f"{tester.pk}/change/"), {"act": "take", "role": "expert", "because": " "})
    assert (answer.status_code, answer.content.decode().count("Say why")) == (409, 1)
    assert campaign.roles.filter(person=tester, role=Role.EXPERT).exists()


@pytest.mark.parametrize(
    "said", [{"act": "give", "role": "boss"}, {"act": "take", "role": "tester"}, {"act": "fire"}, {}]
)
def test_acts_that_there_are_not_are_bad_requests(managing, tester, said):
    assert managing.post(people(f"{tester.pk}/change/"), said).status_code == 400


def test_a_pause_asks_for_its_reason_beside_the_field(managing, campaign, tester):
    answer = managing.post(people(f"{tester.pk}/change/"), {"act": "pause", "because": " "})
    assert answer.status_code == 409
    assert "Say why, in at most" in answer.content.decode()
    managing.post(people(f"{tester.pk}/change/"), {"act": "pause", "because": "ill"})
    page = managing.get(people()).content.decode()
    assert "paused since" in page
    late = managing.post(people(f"{tester.pk}/change/"), {"act": "pause", "because": "ill again"})
    field = late.content.decode().split('value="ill again"')[1].split("</label>")[0]
    assert (late.status_code, "nothing to pause" in field) == (409, True)
    assert "ill" in page
    silent = managing.post(people(f"{tester.pk}/change/"), {"act": "resume"})
    assert (silent.status_code, "Say why" in silent.content.decode()) == (409, True)
    managing.post(people(f"{tester.pk}/change/"), {"act": "resume", "because": "well"})
    assert campaign.roles.at_work().filter(person=tester).exists()


def test_a_link_for_a_password_is_shown_once_and_works(managing, tester):
    page = managing.post(people(f"{tester.pk}/password-link/")).content.decode()
    (path,) = set(re.findall(r"http://testserver(/password/set/[\w-]{43}/)", page))
    assert path not in managing.get(people(f"{tester.pk}/")).content.decode()
    Client().post(path, {"new_password1": "a new and longer one", "new_password2": "a new and longer one"})
    tester.refresh_from_db()
    assert tester.check_password("a new and longer one")


def test_no_account_of_somebody_with_other_campaigns_is_taken_over(managing, campaign, tester):
    other = Campaign.objects.get()
    other.pk, other.slug = None, "other"
    other.save()
    other.roles.create(person=tester, role=Role.TESTER)
    answer = managing.post(people(f"{tester.pk}/password-link/"), follow=True)
    assert "takes part elsewhere" in answer.content.decode()
    assert not OneTimeLink.objects.exists()


@pytest.fixture
def begun(drawn):
    begin(first_of_each_tester(drawn))
    return drawn


def test_leaving_is_previewed_and_does_exactly_that(begun):
    managing = client_of(Person.objects.get(username="organizer"))
    leaver = Person.objects.get(username="tester-2")
    address = people(f"{leaver.pk}/leave/?role=tester&to=tester-3")
    page = managing.get(address).content.decode()
    assert "7 things that are not begun leave this list" in page
    assert re.search(r"tester-2</td>\s*<td class=\"number\">7</td>\s*<td class=\"number\">0</td>", page)
    form = dict(re.findall(r'<input type="hidden" name="(role|previewed)" value="([^"]*)"', page)) | {"to": "tester-3"}
    assert '<option value="tester-3" selected>' in page
    # Whoever chooses somebody else first and has typed the reason keeps it.
    chosen = managing.post(address, form | {"to": "", "because": "typed first", "act": "show"})
    assert (chosen.status_code, begun.roles.filter(person=leaver).count()) == (200, 1)
    assert "selected" not in chosen.content.decode().split('name="to"')[1].split("</select>")[0]
    assert 'value="typed first"' in chosen.content.decode()
    silent = managing.post(people(f"{leaver.pk}/leave/"), form)
    assert (silent.status_code, "Say why" in silent.content.decode()) == (409, True)
    form["because"] = "moves away"
    begin(begun.assignments.filter(tester=leaver, started_at=None)[:1])
    old = managing.post(people(f"{leaver.pk}/leave/"), form).content.decode()
    assert "Something has changed in the meantime" in old
    assert "6 things that are not begun leave this list" in old
    assert 'value="moves away"' in old
    form |= dict(re.findall(r'<input type="hidden" name="(role|previewed)" value="([^"]*)"', old))
    assert managing.post(people(f"{leaver.pk}/leave/"), form).status_code == 302
    assert not begun.roles.filter(person=leaver).exists()
    assert begun.assignments.filter(tester=leaver).count() == 2
    assert TrailLine.objects.get(act="person.work_handed_on").because == "moves away"


def test_a_name_that_cannot_take_over_moves_nothing(begun):
    managing = client_of(Person.objects.get(username="organizer"))
    leaver = Person.objects.get(username="tester-2")
    page = managing.post(people(f"{leaver.pk}/leave/"), {"role": "tester", "to": "reviewer"}).content.decode()
    assert "Nobody of that name can take it over" in page
    assert begun.roles.filter(person=leaver).exists()


def test_somebody_who_tests_no_longer_has_nothing_to_hand_on(managing, reviewer):
    assert managing.get(people(f"{reviewer.pk}/leave/?role=tester")).status_code == 404
    assert managing.get(people(f"{reviewer.pk}/leave/?role=reviewer")).status_code == 200


def test_the_queries_do_not_grow_with_the_people(managing, campaign):
    def n_queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            managing.get(people())
        return len(asked)

    managing.get(people())
    before = n_queries()
    for n in range(30):
        person = Person.objects.create_user(f"p{n}")
        campaign.roles.create(person=person, role=Role.TESTER)
        campaign.roles.create(person=person, role=Role.REVIEWER)
        if n % 2:
            pause_person(campaign=campaign, person=person, because="ill", by=None, at=timezone.now())
    assert n_queries() == before


def test_a_number_that_no_id_is_finds_nobody(client, organizer, campaign):
    client.force_login(organizer)
    assert client.get(f"/campaigns/small/people/{10**30}/").status_code == 404
    assert client.get(f"/api/v1/campaigns/small/people/{10**30}/").status_code == 404
