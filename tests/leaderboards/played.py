"""Plays a campaign through the actions alone: what testers, bots that fail, experts, panels and adjudicators leave behind."""

import random
from collections import defaultdict
from contextlib import suppress

from django.utils import timezone

from campaigns.actions import change_settings, load_campaign
from campaigns.campaign_file.reader import read_campaign_file
from campaigns.models import Campaign, Role
from dialogues.actions import import_dialogues, open_chosen_dialogue, take_opening
from dialogues.actions.closing import tick_items
from dialogues.dialogue_files import FORMATS
from dialogues.models import Dialogue
from leaderboards.models import ImportedRecord
from leaderboards.records import counted_lines
from measures.live import record_of
from participants.adapters import PROTOCOLS
from participants.failures import FailureKind
from reviews.actions import NotReviewable, submit_review, undo_submission
from reviews.actions.placing import draw_review_places
from reviews.actions.vetting import vet_dialogue
from reviews.models import Dispute, ReviewPlace
from reviews.sheet import Asked
from tests.campaigns.test_examples import FINISHED, ROOT
from tests.conftest import Admitted
from tests.dialogues.test_actions import Talk
from tests.stored_rows import built_once

WAYS = ("finished", "given up", "bot fails", "void", "open", "finished")


def example(preset):
    content = (ROOT / "examples" / "campaigns" / f"{preset}.toml").read_bytes()
    campaign, _ = load_campaign(spec=read_campaign_file("campaign.toml", content, PROTOCOLS))
    return campaign


def played(preset):
    """The example of a preset, played."""
    built_once(f"played {preset}", lambda: play(example(preset)))
    return Campaign.objects.get()


def play(campaign, *, seed=1):
    """Dialogues that go each way with every bot, then all that is scored of them."""
    rng = random.Random(seed)
    change_settings(
        campaign=campaign, changes={"free_choice": True, "open_dialogues_per_tester": 100}, at=timezone.now()
    )
    if campaign.scenarios.exists():
        for entry in campaign.entries.order_by("pk"):
            for number, way in enumerate(WAYS):
                talk_through(campaign, entry, number, way)
    else:
        import_some(campaign)
    closed = list(Dialogue.objects.of_campaign(campaign).reviewable().order_by("opened_at", "pk"))
    vet(campaign, closed)
    draw_review_places(campaign=campaign, at=timezone.now())
    for dialogue in closed:
        # Not every dialogue is scored by then.
        if rng.random() < 0.85:
            score_by_all(campaign, dialogue, rng)
    adjudicate(campaign, rng)
    campaign.refresh_from_db()
    return campaign


def talk_through(campaign, entry, number, way, said="请问哪天？", tester=None):
    testers = campaign.roles.filter(role=Role.TESTER).order_by("pk")
    tester = tester or testers[number % len(testers)].person
    scenario = campaign.scenarios.order_by("position")[number % campaign.scenarios.count()]
    at = timezone.now()
    dialogue = open_chosen_dialogue(campaign=campaign, tester=tester, entry=entry, scenario=scenario, at=at)
    talk = Talk(dialogue, Admitted(tester))
    if campaign.opened_by == "bot":
        opened = take_opening(dialogue_id=dialogue.pk, admission=talk.admission, at=at, owner="here:1:x")
        talk.answer(opened.asked, "您好，请说。")
    # A failure that a second request mends.
    asked = talk.send("k1", "帮我订票，=1+1").asked
    talk.fail(asked)
    talk.answer(talk.retry(1), said)
    if way == "bot fails":
        asked = talk.send("k2", "明天").asked
        talk.fail(asked)
        talk.fail(talk.retry(2))
        talk.fail(talk.retry(2))
    elif way == "void":
        talk.fail(talk.send("k2", "明天").asked, FailureKind.INTERRUPTED)
    if campaign.tester_may_end == "all_used" and talk.now().is_open:
        tick_items(dialogue=talk.now(), ticked=range(len(scenario.items)), at=timezone.now())
        # Where nothing is given, the turns end it.
        for number in range(0 if scenario.items else campaign.turn_cap):
            if talk.now().is_open and way != "open":
                talk.answer(talk.send(f"more{number}", "还有呢？").asked)
    for subtask in dialogue.subtasks.all() if way in ("finished", "given up") and talk.now().is_open else ():
        if subtask.index > 1:
            talk.answer(talk.send(f"s{subtask.index}", "下一项").asked)
        talk.close(subtask.index, is_finished=way == "finished" or subtask.index == 1)
    if way != "open" and talk.now().is_open:
        talk.end()
    return talk


def import_some(campaign):
    organizer = campaign.roles.get(role=Role.ORGANIZER).person
    for number, bot in enumerate(("good", "bad")):
        some = FORMATS["ntcir"](FINISHED.read_bytes())[2 * number : 2 * number + 2]
        import_dialogues(campaign=campaign, dialogues=some, importer=organizer, bot=bot, team="Demo", at=timezone.now())


def vet(campaign, dialogues):
    for number, dialogue in enumerate(dialogues):
        for expert in campaign.roles.filter(role=Role.EXPERT):
            with suppress(NotReviewable):
                vet_dialogue(
                    dialogue=dialogue, expert=expert.person, faults=() if number % 5 else ["natural"], reason="不自然",
                    at=timezone.now(),
                )  # fmt: skip


def score_by_all(campaign, dialogue, rng):
    dialogue = Dialogue.objects.with_names().get(pk=dialogue.pk)
    panel = [place.reviewer for place in ReviewPlace.objects.filter(dialogue=dialogue, released_at=None)]
    for person in [*panel, *([dialogue.tester] if campaign.testers_score else [])]:
        with suppress(NotReviewable):
            version = score(dialogue, person, rng).version
            if rng.random() < 0.2:
                undo_submission(dialogue=dialogue, reviewer=person, version=version, at=timezone.now())
                if rng.random() < 0.5:
                    score(dialogue, person, rng, based_on=version + 1)


def score(dialogue, person, rng, based_on=0):
    ratings, evidence = {}, {}
    for key, (asked, place) in Asked(dialogue).by_rating_key().items():
        if asked.is_label:
            ratings[key] = rng.choice(asked.points_at(place)).key
            continue
        ratings[key] = rng.choice(asked.scores)
        if ratings[key] < (asked.criterion.evidence_below or ratings[key]):
            evidence[key] = 1
    verdicts = {}
    if dialogue.assignment.campaign.rubric.asks_for_verdicts and rng.random() < 0.5:
        verdicts = {str(one.index): one.index == 1 for one in dialogue.subtasks.all()}
    return submit_review(
        dialogue=dialogue, reviewer=person, ratings=ratings, evidence=evidence, verdicts=verdicts, comment="好，乙队 canaria",
        based_on_version=based_on, at=timezone.now(),
    )  # fmt: skip


def adjudicate(campaign, rng):
    for role in campaign.roles.filter(role=Role.ADJUDICATOR):
        waiting = Dispute.objects.filter(dialogue__assignment__campaign=campaign, settled_at=None).order_by("pk")
        for dispute in list(waiting)[1:]:
            score(Dialogue.objects.with_names().get(pk=dispute.dialogue_id), role.person, rng)


def records_by_entry(campaign):
    """Every record by entry id: the reviews that count, then imported records."""
    gathered, entries = defaultdict(list), dict(campaign.entries.values_list("key", "pk"))
    for line in counted_lines(campaign, Dialogue.objects.of_campaign(campaign)):
        gathered[entries[line.entry]].append(record_of(line.content))
    for row in ImportedRecord.objects.filter(campaign=campaign).with_shares().order_by("pk"):
        gathered[row.entry_id].append(record_of(row.content, row.n_sharing))
    return gathered
