"""Fills a migrated database with what pages can show: `main` prints sessions and addresses as JSON."""

import asyncio
import json
import random
import secrets
from datetime import timedelta
from itertools import count
from pathlib import Path

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpResponse
from django.test import RequestFactory, override_settings
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from accounts.models import Person
from accounts.passwords.actions import make_password_link
from accounts.second_factor.pending import note_half_way
from automatic_tasks.models import Run
from automatic_tasks.runs.worker import Worker
from campaigns.actions import load_campaign
from campaigns.campaign_file.reader import read_campaign_file
from campaigns.models import Assignment, Campaign, Entry
from demo.published import hand_in_sample_runs, load_demo_tasks, load_published
from dialogues.actions import close_subtask, open_dialogue
from dialogues.models import Dialogue
from frame.error_pages import WRONGS, ErrorPagesMiddleware, error_page
from notifications.actions.choosing import ask_confirmation
from organizing.actions import refresh_outdated_meta_evaluations
from pairs.models import Pair
from participants.adapters import PROTOCOLS
from publication.actions.freezing import carry_out_orders, freeze
from publication.actions.publishing import follow_publications
from publication.published.published_dialogues import readable_in
from registration.actions.inviting import invite
from registration.invitation_lines import Invitee
from reviews.actions import submit_review
from serving.refused import Refused
from tests.live.crowd_seeds import crowd_pages
from tests.live.model_seeds import model_pages
from tests.live.page_site import LANGUAGES, PASSWORD
from tests.live.review_seeds import review_pages, show_picture
from tests.live.talking import Admitted, moment, talk
from tests.live.team_seeds import service_pages, team_pages

ROOT = Path(__file__).resolve().parents[2]
TALK = (
    ("我想订后天成都飞北京的航班，再订酒店", "请问您想上午、下午还是晚上出发？", 1100),
    ("上午，要商务舱", "后天 DM1070，10:50 从成都出发，13:38 到北京，商务舱 2200 元。确认预订吗？", 1600),
    ("有没有更早的？", "后天上午只有这一班商务舱。要订吗？", 900),
    ("那就订这一班", "机票预订成功，订单号 F1001。接下来还要订什么？", 1200),
)
MORE_TALK = (
    ("晚上的也可以", "好的，晚上符合条件的有两个，票价 553 元和 620 元。要哪一个？", 1500),
    ("便宜的那个", "预订成功，订单号 F1002。祝您旅途愉快！", 1300),
)

# Days from today of a campaign with all its dates.
DAYS = {
    "registration_from": -30, "registration_until": -20, "frozen_at": -18, "testing_from": -15, "testing_until": -1,
    "review_from": -2, "review_until": 10, "publication_at": 12, "ends_at": 20,
}  # fmt: skip


def closed_dialogue(assignment, clock, *, is_scored):
    dialogue = open_dialogue(assignment=assignment, at=moment(next(clock)))
    parts = range(1, assignment.scenario.subtasks.count() + 1)
    for index in parts:
        talk(dialogue, TALK if index == 1 else MORE_TALK, clock)
        close_subtask(
            dialogue_id=dialogue.pk, admission=Admitted(dialogue.tester_id), index=index, is_finished=True,
            at=moment(next(clock)),
        )  # fmt: skip
    dialogue.refresh_from_db()
    if is_scored:
        submit_review(
            dialogue=dialogue, reviewer=assignment.tester, ratings={"satisfaction": 1, "fluency": 1, "guidance": 1},
            verdicts={str(index): True for index in parts}, comment="", based_on_version=0, at=moment(next(clock)),
        )  # fmt: skip
    return dialogue


def talks():
    """Two scored dialogues, one to be scored and one in the middle of its first part."""
    clock = count()
    own = Assignment.objects.filter(tester__username="tester-1", entry__key="booking").in_order().with_names()
    composite = own.filter(scenario__subtasks__position=2).distinct()
    first, second, third, fourth = composite[:4]
    closed = closed_dialogue(first, clock, is_scored=True)
    closed_dialogue(second, clock, is_scored=True)
    to_score = closed_dialogue(third, clock, is_scored=False)
    talking = open_dialogue(assignment=fourth, at=moment(next(clock)))
    talk(talking, TALK[:3], clock)
    fresh = open_dialogue(assignment=own.filter(tester__username="tester-1").exclude(pk__in=[
        first.pk, second.pk, third.pk, fourth.pk]).first(), at=moment(next(clock)))  # fmt: skip
    return {"talking": talking, "to_score": to_score, "fresh": fresh, "closed": closed}


def live_pair(left, right):
    """Two dialogues of a tester side by side."""
    campaign = left.assignment.campaign
    other = campaign.entries.exclude(pk=left.assignment.entry_id).order_by("pk")[0]
    return Pair.objects.create(
        campaign=campaign, kind="live", scenario=left.assignment.scenario, left=left.assignment.entry, right=other,
        left_dialogue=left, right_dialogue=right, judge=left.tester, key="live", position=1, number=1, drawn_at=timezone.now(),
    )  # fmt: skip


def boards():
    # What the server does within its first seconds: pages are looked at as they are after that.
    now = timezone.now()
    load_published(now)
    follow_publications(at=now)
    carry_out_orders(at=now)
    refresh_outdated_meta_evaluations(at=now)


def published_dialogues():
    """A dialogue of a frozen leaderboard whose bundle holds dialogues; with a picture."""
    campaign = Campaign.objects.get(slug="short")
    for one in Dialogue.objects.of_campaign(campaign).reviewable():
        show_picture(one, 2)
    snapshot = freeze(campaign=campaign, hides_teams=False, by=None, at=timezone.now())
    return {"published_dialogue": readable_in(snapshot.bundle_digest).dialogues[0].number}


def ranked():
    """A system of the published leaderboard, whose figures lead to records."""
    return Entry.objects.filter(campaign__slug="smp2018").order_by("pk")[0]


def runs():
    hand_in_sample_runs(load_demo_tasks(), timezone.now())
    asyncio.run(Worker().work(until_empty=True))


def sessions():
    """A session of each person by user name, as a browser's cookie holds it."""
    Person.objects.filter(username="organizer").update(is_staff=True)
    Person.objects.create_user("nobody", password=PASSWORD)
    made = {}
    for person in Person.objects.all():
        session = SessionStore()
        session[SESSION_KEY] = str(person.pk)
        session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
        session[HASH_SESSION_KEY] = person.get_session_auth_hash()
        session.create()
        made[person.username] = session.session_key
    made["half-way"] = half_way_session()
    return made


def account_pages():
    """The links' tokens, which nobody can read again."""
    at, campaign = timezone.now(), Campaign.objects.get(slug="smp2018-demo")
    Campaign.objects.filter(slug="short").update(
        is_announced=True, **{name: at + timedelta(days=days) for name, days in DAYS.items()}
    )
    organizer, tester = (Person.objects.get(username=name) for name in ("organizer", "tester-3"))
    invitee = Invitee(1, "wang@example.com", "wang@example.com", ("tester", "reviewer"))
    (invited,) = invite(campaign=campaign, invitees=[invitee], by=organizer, at=at)
    mailed = Person.objects.get(username="tester-1")
    mailed.email = "tester-1@example.com"
    mailed.save(update_fields=["email"])
    with override_settings(HAS_MAIL=True):
        confirmation = ask_confirmation(person=mailed, at=at)
    link = make_password_link(person=tester, by=organizer, at=at)
    return {"invitation": invited.token, "link": link, "confirmation": confirmation}


def half_way_session():
    """The session of somebody whose password was right, and whose code is still to come."""
    session = SessionStore()
    # Far ahead: the tests of a slow machine come to this page later than the ten minutes of a log-in.
    at = timezone.now() + timedelta(days=1)
    note_half_way(session, Person.objects.get(username="tester-3"), "django.contrib.auth.backends.ModelBackend", at)
    session.create()
    return session.session_key


def error_pages():
    """HTML by name of the page and language."""
    drawn = {}
    for short, language in LANGUAGES.items():
        request = RequestFactory().get("/", headers={"host": "localhost"})
        request.user, request.LANGUAGE_CODE = AnonymousUser(), language
        with translation.override(language):
            drawn |= {f"error-{status}-{short}": error_page(request, status) for status in WRONGS}
            refused = Refused(_("The preview is out of date: look at it again."))
            drawn[f"error-409-{short}"] = ErrorPagesMiddleware(lambda _: HttpResponse()).process_exception(
                request, refused
            )
    return {name: page.content.decode() for name, page in drawn.items()}


def main():
    # The pages show the same plan in every run.
    secrets.randbits = random.Random(0).getrandbits
    for file in (ROOT / "demo" / "guided.toml", ROOT / "demo" / "campaign.toml"):
        load_campaign(spec=read_campaign_file(file.name, file.read_bytes(), PROTOCOLS))
    dialogues = talks()
    boards()
    runs()
    dialogues |= review_pages()
    dialogues["live_pair"] = live_pair(dialogues["talking"], dialogues["fresh"])
    run = Run.objects.filter(task__key="quality", team__name="Demo Team One").first()
    values = {name: dialogue.pk for name, dialogue in dialogues.items()} | team_pages()
    values |= service_pages() | account_pages() | published_dialogues() | crowd_pages() | model_pages()
    print(json.dumps({
        "sessions": sessions(),
        "drawn": error_pages(),
        "values": {name: str(value) for name, value in values.items()} | {"run": str(run.pk), "ranked": str(ranked().pk)},
    }))  # fmt: skip
