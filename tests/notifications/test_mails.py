"""Mails over a real SMTP server: to confirmed addresses alone, at once or once a day, with kinds and links and nothing else."""

import re
import socket
from contextlib import contextmanager
from datetime import timedelta
from email import message_from_bytes, policy
from zoneinfo import ZoneInfo

import pytest
from aiosmtpd.controller import Controller
from django.utils import timezone

from campaigns.actions.stages import pause_bot
from notifications.actions.choosing import CannotConfirm, ask_confirmation, choose_messages, confirm_address
from notifications.actions.sending import note_failed, take_mail
from notifications.actions.telling import reading_from, tell
from notifications.mailing import mail_confirmation, send_mails
from notifications.models import Choice, ConfirmedAddress, Delivery, Event, Kind
from privacy.actions.erasing import erase_person
from reading.findings import sentence
from tests.world import client_of

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


class Box:
    """Keeps what it takes; `refuses` says that it takes nothing."""

    def __init__(self):
        self.mails, self.refuses = [], False

    async def handle_DATA(self, server, session, envelope):
        if self.refuses:
            return "451 not now"
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 taken"


@contextmanager
def mail_server(settings):
    box = Box()
    # Port 0 is one that the system picks: the controller connects to the one it asked for, so it is found first.
    controller = Controller(box, hostname="127.0.0.1", port=free_port())
    controller.start()
    try:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", controller.port
        settings.HAS_MAIL, settings.SITE_URL = True, "https://huace.example"
        settings.DEFAULT_FROM_EMAIL = "huace@huace.example"
        yield box
    finally:
        controller.stop()


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture
def box(settings):
    with mail_server(settings) as running:
        yield running


def reachable(person, mail="once", language="en"):
    """A person with a confirmed address who wants everything."""
    person.email, person.language = f"{person.username}@example.org", language
    person.save()
    at = timezone.now()
    ConfirmedAddress.objects.create(
        person=person, address=person.email, digest=person.username, asked_at=at, confirmed_at=at
    )
    return choose_messages(person=person, mail=mail, kinds=Kind.values)


def paused(campaign, at=None):
    at = at or timezone.now()
    reading_from(at=at)
    pause_bot(entry=campaign.entries.get(), because="private words", at=at)
    return tell(at=at, decisions=False)


def test_a_mail_says_a_kind_and_a_link_alone(campaign, organizer, box):
    reachable(organizer)
    paused(campaign)
    assert send_mails() == 1
    (mail,) = box.mails
    assert (mail["To"], mail["From"], mail["Subject"]) == (
        "organizer@example.org", "huace@huace.example", "Huace: A system was paused",
    )  # fmt: skip
    text = mail.get_content()
    assert text.split() == [
        *["A", "system", "was", "paused", "https://huace.example/campaigns/small/teams/"],
        *["What", "you", "are", "told", "of,", "and", "how:", "https://huace.example/account/messages/"],
    ]
    assert mail["Auto-Submitted"] == "auto-generated"
    assert send_mails() == 0
    assert Delivery.objects.get().state == "sent"


def test_who_chose_no_language_reads_both(campaign, organizer, box):
    reachable(organizer, language="")
    paused(campaign)
    send_mails()
    assert box.mails[0]["Subject"].strip() == "Huace: 系统被暂停 · A system was paused"


@pytest.mark.parametrize("change", ["unconfirmed", "other address", "inactive"])
def test_no_mail_goes_where_nobody_confirmed_it(campaign, organizer, box, change):
    reachable(organizer)
    paused(campaign)
    if change == "unconfirmed":
        ConfirmedAddress.objects.update(confirmed_at=None)
    else:
        type(organizer).objects.update(
            **({"is_active": False} if change == "inactive" else {"email": "new@example.org"})
        )
    assert send_mails() == 0
    assert (box.mails, Delivery.objects.get().state) == ([], "failed")


def test_a_mail_that_is_refused_is_tried_again_under_its_id(campaign, organizer, box):
    reachable(organizer)
    paused(campaign)
    box.refuses = True
    send_mails()
    assert Delivery.objects.get().state == "waiting"
    assert send_mails() == 0
    box.refuses = False
    Delivery.objects.update(next_try_at=timezone.now())
    assert send_mails() == 1
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.n_tries) == ("sent", 2)
    assert box.mails[0]["Message-ID"] == f"<{delivery.pk.hex}@huace.example>"


def test_a_server_that_is_away_costs_a_try_and_no_mail(campaign, organizer, box, settings):
    reachable(organizer)
    paused(campaign)
    settings.EMAIL_PORT = free_port()
    assert send_mails() == 1
    assert (Delivery.objects.get().state, Delivery.objects.get().n_tries) == ("waiting", 1)


def digest_world(person, n, at):
    """Messages for a daily reader, due at that moment."""
    for number in range(n):
        event = Event.objects.create(
            key=f"test:{at}:{number}", kind=Kind.BOT_PAUSED if number else Kind.CHECK_FAILED, at=at
        )
        Delivery.objects.create(
            event=event, person=person, path="/campaigns/small/teams/", made_at=at, next_try_at=at, is_of_digest=True
        )


def test_a_daily_reader_gets_one_mail_with_all_of_a_day(campaign, organizer, box):
    reachable(organizer, mail="daily")
    digest_world(organizer, 4, timezone.now())
    assert send_mails() == 1
    (mail,) = box.mails
    assert mail["Subject"] == "Huace: 4 messages"
    assert re.findall(r"A system[^\r\n]*", mail.get_content()) == [
        "A system failed its check",
        "A system was paused × 3",
    ]
    assert set(Delivery.objects.values_list("state", flat=True)) == {"sent"}


def test_a_message_for_a_daily_reader_waits_for_eight(campaign, organizer, box):
    reachable(organizer, mail="daily")
    paused(campaign)
    assert send_mails() == 0
    due = Delivery.objects.get().next_try_at.astimezone(ZoneInfo("Asia/Shanghai"))
    assert (due.hour, due.minute) == (8, 0)
    assert timezone.now() < due <= timezone.now() + DAY


def test_a_second_digest_of_a_day_waits_for_the_next(campaign, organizer, box):
    reachable(organizer, mail="daily")
    at = timezone.now().replace(hour=4)
    digest_world(organizer, 1, at - DAY)
    first = take_mail(at=at)
    assert len(first.deliveries) == 1
    Delivery.objects.update(state="sent")
    Choice.objects.update(digest_at=at)
    digest_world(organizer, 2, at)
    assert take_mail(at=at + timedelta(hours=1)) is None
    later = Delivery.objects.filter(state="waiting").values_list("next_try_at", flat=True)
    assert set(later) == {(at + DAY).replace(hour=0, minute=0, second=0, microsecond=0)}
    assert len(take_mail(at=at + DAY).deliveries) == 2


def test_a_digest_whose_process_died_is_sent_again_as_it_was(campaign, organizer, box):
    reachable(organizer, mail="daily")
    at = timezone.now()
    digest_world(organizer, 2, at)
    first = take_mail(at=at)
    digest_world(organizer, 1, at - timedelta(seconds=1))
    mine = Delivery.objects.filter(pk__in=[one.pk for one in first.deliveries])
    mine.update(next_try_at=at - timedelta(seconds=2))
    second = take_mail(at=at)
    assert second.id == first.id
    assert {one.pk for one in second.deliveries} == {one.pk for one in first.deliveries}
    note_failed(deliveries=second.deliveries, why=sentence("x"), at=at)


def test_an_address_is_confirmed_by_the_link_that_was_mailed_there(organizer, tester, box):
    organizer.email = "o@example.org"
    organizer.save()
    at = timezone.now()
    token = ask_confirmation(person=organizer, at=at)
    mail_confirmation(organizer, token)
    (path,) = re.findall(r"https://huace.example(/\S+)", box.mails[0].get_content())[:1]
    client = client_of(organizer)
    assert client.get(path).status_code == 200
    assert ConfirmedAddress.objects.get().confirmed_at is None
    client_of(tester).post(path)
    assert ConfirmedAddress.objects.get().confirmed_at is None
    client.post(path)
    assert ConfirmedAddress.objects.get().confirmed_at is not None
    with pytest.raises(CannotConfirm):
        ask_confirmation(person=organizer, at=at + DAY)


def test_a_link_ends_after_a_day_or_with_the_address_and_comes_every_five_minutes(organizer, box):
    organizer.email = "o@example.org"
    organizer.save()
    at = timezone.now()
    token = ask_confirmation(person=organizer, at=at)
    with pytest.raises(CannotConfirm):
        ask_confirmation(person=organizer, at=at + timedelta(minutes=4))
    with pytest.raises(CannotConfirm):
        confirm_address(person=organizer, token=token, at=at + DAY)
    organizer.email = "other@example.org"
    with pytest.raises(CannotConfirm):
        confirm_address(person=organizer, token=token, at=at)
    again = ask_confirmation(person=organizer, at=at + timedelta(minutes=5))
    confirm_address(person=organizer, token=again, at=at + timedelta(minutes=6))


def test_the_page_stores_the_choice_and_drops_what_is_not_wanted(campaign, organizer, box):
    reachable(organizer)
    paused(campaign)
    client = client_of(organizer)
    client.post("/account/messages/", {"mail": "daily", "kind": ["board.published", "test", "backup.failed"]})
    choice = Choice.objects.get()
    assert (choice.mail, choice.kinds) == ("daily", ["board.published"])
    assert not Delivery.objects.exists()
    changed = client.patch("/api/v1/account/messages/", {"mail": "none"}, content_type="application/json").json()
    assert changed == {"mail": "none", "kinds": ["board.published"], "sends_mails": True, "is_confirmed": True}


def test_without_a_mail_server_the_page_says_so(organizer, settings):
    settings.HAS_MAIL = False
    page = client_of(organizer).get("/account/messages/", headers={"Accept-Language": "en"}).content.decode()
    assert "This installation sends no mails." in page
    with pytest.raises(CannotConfirm):
        ask_confirmation(person=organizer, at=timezone.now())


def test_erasing_a_person_removes_address_choice_and_messages(campaign, tester, box):
    reachable(tester)
    at = timezone.now()
    event = Event.objects.create(key="x", kind=Kind.BOARD_PUBLISHED, at=at, campaign=campaign)
    Delivery.objects.create(event=event, person=tester, path="/", made_at=at, next_try_at=at)
    erase_person(person=tester, by=None, at=at)
    assert not Delivery.objects.exists()
    assert not Choice.objects.exists()
    assert not ConfirmedAddress.objects.exists()
    assert send_mails() == 0
