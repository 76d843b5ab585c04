"""Services on their way: at once where everybody is admitted, else as drafts; frozen, sent back, withdrawn, taken back."""

from datetime import timedelta

import pytest
from django.utils import timezone

from audit.models import TrailLine
from automatic_tasks.actions import (
    NotAccepted,
    admit_service,
    change_service,
    freeze_service,
    register_service,
    send_back_service,
    start_all_service_runs,
    start_service_run,
    submit_service,
    take_back_service,
    withdraw_service,
)
from automatic_tasks.models import Service
from campaigns.actions import IsFrozen, IsWithdrawn, NotThatStage
from campaigns.calendar import NotNow
from campaigns.stages import stage_of
from participants.secrets import Sealed
from reading.checking import BadForm

pytestmark = pytest.mark.django_db
NOW = timezone.now()
URL = "https://service.example.com/labels"


@pytest.fixture
def task(tasks):
    return tasks["intents"]


def demand(campaign, **settings):
    type(campaign).objects.filter(pk=campaign.pk).update(**settings)


def register(task, team, url=URL, at=NOW, **said):
    return register_service(task=task, team=team, url=url, at=at, **said)


def stage(service):
    stored = Service.objects.with_names().get(pk=service.pk)
    return str(stage_of(stored, stored.campaign, NOW).stage)


def test_where_all_are_admitted_a_service_takes_part_at_once(task, team, participant):
    service = register(task, team, by=participant)
    assert (stage(service), service.registered_by, service.registered_at, service.admitted_at) == (
        "admitted", participant, NOW, NOW,
    )  # fmt: skip
    assert start_service_run(service=service, person=None, at=NOW).url == URL


def test_a_service_that_was_there_before_services_had_stages_takes_part(task, team):
    service = Service.objects.create(task=task, team=team, url=URL)
    assert stage(service) == "admitted"
    assert start_service_run(service=service, person=None, at=NOW)


def test_where_organizers_admit_no_run_calls_a_draft(campaign, task, team, participant, organizer):
    demand(campaign, admission="organizer")
    service = register(task, team, by=participant)
    assert stage(service) == "draft"
    with pytest.raises(NotAccepted) as refused:
        start_service_run(service=service, person=None, at=NOW)
    assert refused.value.code == "draft"
    started, left_out = start_all_service_runs(task=task, person=organizer, at=NOW)
    assert (started, {team: refused.code for team, refused in left_out.items()}) == ([], {team: "draft"})
    submit_service(service=service, by=participant, at=NOW)
    admit_service(service=service, by=organizer, at=NOW)
    assert stage(service) == "admitted"
    assert start_service_run(service=service, person=None, at=NOW)


def test_another_address_of_an_admitted_service_is_a_draft_again_and_another_secret_is_not(campaign, task, team):
    demand(campaign, admission="organizer")
    service = register(task, team)
    admit_service(service=service, by=None, at=NOW)
    assert stage(register(task, team, secret="s3cret")) == "admitted"
    assert stage(register(task, team, url=f"{URL}2")) == "draft"


def test_the_secret_is_sealed_and_stays_where_nothing_is_said_of_it(task, team):
    service = register(task, team, secret="s3cret")
    register(task, team, url=f"{URL}2")
    stored = Service.objects.get(pk=service.pk)
    assert (stored.secret, stored.url, stored.has_secret) == ("s3cret", f"{URL}2", True)
    sealed = Service.objects.values_list("secret", flat=True).get()
    assert isinstance(sealed, Sealed)
    assert "s3cret" not in sealed
    assert not any("s3cret" in str(line.details) for line in TrailLine.objects.all())


def test_a_secret_of_one_server_is_not_sent_to_another_by_omission(task, team):
    register(task, team, secret="s3cret")
    with pytest.raises(BadForm) as bad:
        register(task, team, url="https://elsewhere.example.com/")
    assert [problem.place for problem in bad.value.problems] == ["secret"]
    assert register(task, team, url="https://elsewhere.example.com/", secret="").secret == ""


def test_another_address_ends_the_green_report_and_another_secret_does_not(task, team):
    service = register(task, team)
    Service.objects.update(green_at=NOW)
    assert register(task, team, secret="s3cret").green_at == NOW
    assert register(task, team, url=f"{URL}2", secret="s3cret").green_at is None
    assert service.pk == Service.objects.get().pk


def test_after_the_freeze_date_the_secret_alone_changes(campaign, task, team, organizer):
    service = register(task, team)
    demand(campaign, frozen_at=NOW - timedelta(hours=1))
    assert stage(service) == "frozen"
    with pytest.raises(NotAccepted) as refused:
        register(task, team, url=f"{URL}2")
    assert refused.value.code == "not_now"
    with pytest.raises(IsFrozen):
        change_service(service=service, url=f"{URL}2", secret=None, by=organizer, at=NOW)
    assert register(task, team, secret="another").secret == "another"
    # What says nothing new is no change: a run can be started from the page.
    assert register(task, team).url == URL


def test_an_organizer_freezes_before_the_date(task, team, organizer):
    service = register(task, team)
    freeze_service(service=service, by=organizer, at=NOW)
    assert stage(service) == "frozen"
    with pytest.raises(IsFrozen):
        register(task, team, url=f"{URL}2")


def test_what_is_sent_back_may_change_also_after_the_freeze(campaign, task, team, organizer):
    service = register(task, team)
    demand(campaign, frozen_at=NOW - timedelta(hours=1))
    sent = send_back_service(service=service, because="It answers nothing.", by=organizer, at=NOW)
    assert (stage(service), sent.returned_because) == ("draft", "It answers nothing.")
    assert register(task, team, url=f"{URL}2").url == f"{URL}2"
    line = TrailLine.objects.get(act="service.sent_back")
    assert (line.about, line.because, line.details) == ("intents", "It answers nothing.", {"team": "Team Alpha"})


def test_a_withdrawn_service_is_called_by_no_run_until_it_is_taken_back(task, team, organizer):
    service = register(task, team)
    withdraw_service(service=service, because="The team asked for it.", by=organizer, at=NOW)
    assert stage(service) == "withdrawn"
    with pytest.raises(NotAccepted) as refused:
        start_service_run(service=service, person=None, at=NOW)
    assert refused.value.code == "withdrawn"
    with pytest.raises(IsWithdrawn):
        register(task, team, url=f"{URL}2")
    with pytest.raises(NotThatStage, match="withdrawn"):
        withdraw_service(service=service, because="again", by=organizer, at=NOW)
    take_back_service(service=service, by=organizer, at=NOW)
    assert stage(service) == "admitted"
    with pytest.raises(NotThatStage, match="not withdrawn"):
        take_back_service(service=service, by=organizer, at=NOW)


def test_where_all_are_called_a_withdrawn_service_is_left_out_without_a_word(task, team, organizer):
    withdraw_service(service=register(task, team), because="The team asked for it.", by=organizer, at=NOW)
    assert start_all_service_runs(task=task, person=organizer, at=NOW) == ([], {})


def test_a_service_whose_secret_is_lost_is_called_by_no_run(task, team, organizer, settings):
    service = register(task, team, secret="s3cret")
    settings.SECRET_KEY = "another" * 10
    with pytest.raises(NotAccepted) as refused:
        start_service_run(service=service, person=None, at=NOW)
    assert refused.value.code == "secret_lost"
    started, left_out = start_all_service_runs(task=task, person=organizer, at=NOW)
    assert (started, left_out[team].code) == ([], "secret_lost")
    assert str(left_out[team]) == "The platform can no longer read its secret. Type the secret again."


def test_a_report_that_is_demanded_is_asked_of_services_too(campaign, task, team):
    demand(campaign, green_report_hours=24)
    service = register(task, team)
    with pytest.raises(NotAccepted) as refused:
        start_service_run(service=service, person=None, at=NOW)
    assert refused.value.code == "not_green"
    Service.objects.update(green_at=NOW - timedelta(hours=23))
    assert start_service_run(service=service, person=None, at=NOW)


def test_once_the_campaign_ended_nothing_moves(campaign, task, team, organizer):
    service = register(task, team)
    demand(campaign, ends_at=NOW - timedelta(hours=1))
    for act in (freeze_service, submit_service, take_back_service):
        with pytest.raises(NotNow):
            act(service=service, by=organizer, at=NOW)
    with pytest.raises(NotNow):
        change_service(service=service, url=URL, secret="x", by=organizer, at=NOW)


def test_a_service_is_called_when_all_are(task, team, organizer):
    service = register(task, team)
    start_all_service_runs(task=task, person=organizer, at=NOW)
    service.refresh_from_db()
    assert service.called_at == NOW
