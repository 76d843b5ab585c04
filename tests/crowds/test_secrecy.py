"""What the platform calls somebody is seen by the campaign's organizers alone, and can be erased."""

import pytest
from django.apps import apps
from django.utils import timezone

from accounts.models import ApiToken
from audit.models import TrailLine
from crowds.actions.declaring import make_study
from crowds.actions.ending import decide, forget_outside_ids, stop
from crowds.models import Arrival
from crowds.refusals import CannotStudy
from leaderboards.exports import EXPORTS, pieces
from privacy.actions.erasing import erase_person
from publication.bundle import bundle_pieces
from tests.crowds.conftest import CODES, PID, address, browser, comes, spec, talks
from tests.routes import ROUTES, access_of, methods_of
from tests.world import address_of, client_of, frozen, people, run

pytestmark = pytest.mark.django_db
__all__ = ["frozen", "people", "run"]
OF_THE_ORGANIZER = {"study", "study-payments", "study-ids", "api-study-arrivals", "api-study-payments", "api-study-ids"}


@pytest.fixture
def arrival(study):
    """Somebody who came by the browser, so that log-ins and the trail know them as they ever will."""
    browser().post(address(study), {})
    return Arrival.objects.select_related("person", "study").get()


def texts_of(answer):
    return answer.getvalue().decode(errors="replace") + str(answer.headers)


def test_no_row_holds_it_as_it_is(arrival):
    for model in apps.get_models():
        for row in model._base_manager.values():
            assert PID not in str(row), model


def test_no_export_bundle_or_line_of_the_trail_tells(arrival, campaign, dialogue):
    told = "".join(piece.decode() for what in EXPORTS for piece in pieces(what, campaign, "jsonl"))
    told += b"".join(bundle_pieces(campaign, hides_teams=False, at=timezone.now())).decode(errors="replace")
    told += str(list(TrailLine.objects.values_list("about", "because", "details", "person")))
    assert not [secret for secret in (PID, "s1&", *CODES.values()) if secret in told]


def test_pages_of_everybody_else_never_tell(arrival, dialogue, run, frozen, people):
    """Nor does any page of the organizer but those of the study."""
    readers = [
        ("crowd", client_of(arrival.person)),
        *((role, client_of(people[role])) for role in ("organizer", "reviewer")),
    ]
    for path, callback in ROUTES:
        if "GET" not in methods_of(callback) or access_of(callback).kind == "staff" or "<str:token>" in path:
            continue
        where = address_of(path, dialogue, run).replace("/studies/1/", f"/studies/{arrival.study_id}/")
        for role, client in readers:
            if role == "organizer" and "studies" in path:
                continue
            assert PID not in texts_of(client.get(where)), f"{role} {where}"


def test_the_organizer_sees_it_in_the_table_and_the_lists(arrival, study, organizer):
    client, base = client_of(organizer), f"/campaigns/small/studies/{study.pk}/"
    for where in (base, f"{base}payments.csv", f"/api/v1{base}arrivals/", f"/api/v1{base}payments.csv"):
        assert PID in texts_of(client.get(where)), where
    assert PID not in texts_of(client.get(f"{base}ids.txt"))
    talks(arrival, 2)
    stop(arrival=arrival, at=timezone.now())
    assert texts_of(client.get(f"{base}ids.txt")).startswith(f"{PID}\n")
    for secret in CODES.values():
        assert secret not in texts_of(client.get(base)) + texts_of(client.get(f"/api/v1{base}"))


def test_once_erased_nobody_is_recognized_and_the_work_stays(arrival, study, organizer):
    talks(arrival, 1)
    stop(arrival=arrival, at=timezone.now())
    assert forget_outside_ids(study=study, by=organizer, at=timezone.now()) == 1
    arrival.refresh_from_db()
    assert (arrival.participant, arrival.outside.participant, arrival.n_done) == (None, "", 1)
    page = texts_of(client_of(organizer).get(f"/campaigns/small/studies/{study.pk}/payments.csv"))
    assert PID not in page
    assert "3.00,GBP" in page
    assert comes(study).pk != arrival.pk


def test_who_is_at_work_keeps_the_id_until_the_end(arrival, study, organizer):
    assert forget_outside_ids(study=study, by=organizer, at=timezone.now()) == 0


def test_an_erased_person_loses_it_too(arrival):
    stop(arrival=arrival, at=timezone.now())
    erase_person(person=arrival.person, by=None, at=timezone.now())
    arrival.refresh_from_db()
    assert (arrival.participant, arrival.__dict__["secret"]) == (None, "")


def test_a_formula_as_an_id_is_a_text_in_the_table(study, organizer):
    comes(study, '=HYPERLINK("x")')
    assert "\"'=HYPERLINK(" in texts_of(client_of(organizer).get(f"/campaigns/small/studies/{study.pk}/payments.csv"))


def test_an_organizer_excludes_no_people_of_somebody_elses_campaign(campaign, organizer):
    from campaigns.actions import load_campaign
    from tests.conftest import SMALL_CAMPAIGN, spec_of

    load_campaign(
        spec=spec_of(
            SMALL_CAMPAIGN.replace('"small"', '"other"').replace('username = "organizer"', 'username = "else"')
        )
    )
    with pytest.raises(CannotStudy) as refused:
        make_study(campaign=campaign, spec=spec(excludes=("other",)), by=organizer, at=timezone.now())
    assert refused.value.code == "unknown_exclusion"


def test_rejected_work_needs_a_reason_and_is_listed_by_the_platforms_id(arrival, study, organizer):
    at, base = timezone.now(), f"/campaigns/small/studies/{study.pk}/"
    talks(arrival, 2)
    stop(arrival=arrival, at=at)
    no = {"arrival": arrival, "decision": Arrival.Decision.REJECTED, "has_bonus": True, "by": organizer, "at": at}
    with pytest.raises(CannotStudy) as refused:
        decide(because=" ", **no)
    assert refused.value.code == "because_needed"
    decide(because="Empty messages.", **no)
    client = client_of(organizer)
    assert PID not in texts_of(client.get(f"{base}ids.txt"))
    assert texts_of(client.get(f"{base}ids.txt?list=rejected")).startswith(PID)
    assert "0.00,GBP,rejected,Empty messages.,0" in texts_of(client.get(f"{base}payments.csv"))


def test_a_program_is_paid_nothing_and_listed_nowhere(arrival, study, organizer):
    arrival.person.kind = "program"
    arrival.person.save()
    client, base = client_of(organizer), f"/campaigns/small/studies/{study.pk}/"
    assert PID not in texts_of(client.get(f"{base}payments.csv")) + texts_of(client.get(base))


def test_the_token_of_such_an_account_opens_no_more_than_its_role(arrival, campaign):
    token = ApiToken.objects.create(user=arrival.person)[1]
    client = browser()
    told = {"HTTP_AUTHORIZATION": f"Token {token}"}
    assert client.get("/api/v1/campaigns/small/people/", **told).status_code == 404
    assert client.get("/api/v1/assignments/", **told).status_code == 200
