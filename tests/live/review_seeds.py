"""A campaign whose panel scores dialogues on a rubric with labels per turn: what reviewers' pages show in browser tests."""

import random
import struct
import zlib
from datetime import timedelta
from itertools import combinations

from django.utils import timezone

from accounts.models import Person
from campaigns.models import Campaign, Role, Scenario
from dialogues.models import Dialogue, Turn
from dialogues.pictures import file_of
from pairs.actions import open_next_pair, vote
from pairs.actions.boards import refresh_pair_board
from pairs.actions.importing import import_battles
from pairs.board.battle_files import Battle
from participants.adapters.pictures import picture_in
from participants.models import Bot, Team
from publication.actions.freezing import freeze
from reviews.actions import submit_review
from reviews.actions.closing import close_panel
from reviews.actions.gold import set_gold
from reviews.actions.guide import add_example
from reviews.actions.placing import draw_review_places
from reviews.actions.submitting import add_remark
from reviews.models import RevisionRequest
from reviews.sheet import Asked
from rubrics.models import Rubric
from serving.stored_files import keep

SLUG = "panel"
PEOPLE = {
    "reviewer-1": "reviewer", "reviewer-2": "reviewer", "adjudicator": "adjudicator", "expert": "expert",
    "organizer": "organizer",
}  # fmt: skip
FLIGHT = (
    ("我想订后天成都飞北京的航班，再订酒店", "请问您想上午、下午还是晚上出发？"),
    ("上午，要商务舱", "后天 DM1070，10:50 从成都出发，13:38 到北京，商务舱 2200 元。确认预订吗？"),
    ("有没有更早的？", "后天上午只有这一班商务舱。要订吗？"),
    ("不用了，就订 10:50 那班", "好的，正在为您预订后天 10:50 成都到北京的 DM1070，商务舱 2200 元。请提供乘机人姓名。"),
    ("就用我账号里的", "已使用账号中的乘机人信息。确认支付吗？"),
    ("确认", ""),
    ("确认支付", "机票预订成功，订单号 F1001。接下来为您订酒店，请问想住在什么位置附近？"),
)
HOTEL = (
    ("中关村附近，每晚不超过 400 元", "好的，请问您的预算是多少？"),
    ("400 以内", "为您找到：中关村云帆酒店，每晚 1280 元。要预订吗？"),
    ("太贵了，我说的是 400 以内", "抱歉。请问您的预算是多少？"),
    ("每晚 400 元以内", "好的，400 元以内。请问住几晚？"),
    ("两晚", "收到，住 2 晚。请问城市和位置？"),
    ("北京中关村", "为您找到 2 家：海淀路快捷酒店 368 元，知春里商旅酒店 389 元。"),
    ("有没有含早餐的", "知春里商旅酒店含双早，389 元一晚。"),
    ("就订这家", "好的，知春里商旅酒店，2 晚，共 778 元。确认吗？"),
    ("确认", "请问入住人是谁？"),
    ("还是我账号里的", "已使用账号中的入住人信息。"),
    ("好了吗", "正在为您预订，请稍候。"),
    ("订好了吗", "还在处理。"),
    ("算了", "好的，再见。"),
)
POINTS = (
    (-2, "很差", "very poor"), (-1, "较差", "poor"), (0, "一般", "fair"), (1, "较好", "good"), (2, "很好", "very good"),
)  # fmt: skip
LABELS = (
    (0, "CNUG0", "tester", "提出问题", "trigger"),
    (1, "CNUG", "tester", "常规信息", "regular nugget"),
    (2, "CNUG*", "tester", "问题已解决", "goal nugget"),
    (3, "CNaN", "tester", "无关", "not a nugget"),
    (4, "HNUG", "bot", "常规信息", "regular nugget"),
    (5, "HNUG*", "bot", "给出解法", "goal nugget"),
    (6, "HNaN", "bot", "无关", "not a nugget"),
)


def rubric():
    made = Rubric.objects.create(key="quality-and-nuggets", name_zh="质量和信息点", name_en="Quality and nuggets")
    scales = (
        ("accomplishment", "A", "任务完成", "Task accomplishment", "事情办成了吗", "Was the matter settled?"),
        ("satisfaction", "S", "满意度", "Satisfaction", "下次还愿意用它吗", "Would one use it again?"),
        # Longer than a line, as those of the papers are.
        (
            "effectiveness",
            "E",
            "效率",
            "Effectiveness",
            "系统有没有绕弯路，也就是问了不必问的、说了不必说的，或者让用户把说过的话再说一遍？",
            "Did it come to the point, without asking what it need not ask and without having the user say things twice?",
        ),
    )
    for position, (key, letter, zh, en, question_zh, question_en) in enumerate(scales):
        criterion = made.criteria.create(
            position=position, key=key, letter=letter, name_zh=zh, name_en=en, question_zh=question_zh,
            question_en=question_en, evidence_below=-1 if key == "satisfaction" else None,
        )  # fmt: skip
        for score, label_zh, label_en in POINTS:
            criterion.points.create(score=score, label_zh=label_zh, label_en=label_en)
    nugget = made.criteria.create(
        position=len(scales), key="nugget", letter="N", name_zh="信息点", name_en="Nugget", kind="label", scope="turn"
    )
    for score, key, speaker, label_zh, label_en in LABELS:
        nugget.points.create(score=score, key=key, speaker=speaker, label_zh=label_zh, label_en=label_en)
    return made


def campaign(slug, name_zh, name_en, rubric, **settings):
    made = Campaign.objects.create(
        slug=slug, name_zh=name_zh, name_en=name_en, preset="ntcir14", rubric=rubric, ranking_rule=["satisfaction"],
        reviewed_by="panel", counted_reviews="panel", reviewers_per_dialogue=2, adjudicated_over=1, **settings,
    )  # fmt: skip
    for username, role in PEOPLE.items():
        person, _made = Person.objects.get_or_create(username=username)
        made.roles.create(person=person, role=Role(role))
    team = Team.objects.create(name=f"Team of {slug}")
    for alias, key in (("K7", "one"), ("M2", "two")):
        made.entries.create(
            bot=Bot.objects.create(team=team, name=f"{slug} {key}"),
            key=key,
            alias=alias,
            url=f"http://127.0.0.1:9/{key}",
        )
    scenario = Scenario.objects.create(
        campaign=made, key="flight-hotel", position=0, title_zh="机票和酒店：成都→北京", title_en="Flight and hotel: Chengdu → Beijing",
        instructions_zh="订后天上午的商务舱，再订中关村附近每晚 400 元以内的酒店。",
        instructions_en="Book business class for the morning after tomorrow, then a hotel near Zhongguancun below 400 yuan.",
        facts={"flight": {"from": "成都", "to": "北京", "date": "后天", "time": "上午"}, "hotel": {"city": "北京", "place": "中关村", "nights": 2}},
        context={"policy": "商务舱可改签一次"},
    )  # fmt: skip
    for position, kind in enumerate(("flight", "hotel")):
        scenario.subtasks.create(position=position, kind=kind, turn_cap=20)
    return made


def closed_dialogue(campaign, tester, entry, number, at):
    """A dialogue of twenty turns, one of them without an answer; the second part was given up."""
    assignment = campaign.assignments.create(
        tester=tester, entry=entry, scenario=campaign.scenarios.get(), repetition=number, position=number, started_at=at
    )
    dialogue = Dialogue.objects.create(
        assignment=assignment, tester=tester, status="unfinished", reason="gave_up", turns_used=20, subtask_index=2,
        opened_at=at, closed_at=at + timedelta(minutes=16), last_seq=44,
    )  # fmt: skip
    turns = [(1, said) for said in FLIGHT] + [(2, said) for said in HOTEL]
    spent = {1: 0, 2: 0}
    for n, (part, (said, answer)) in enumerate(turns, start=1):
        spent[part] += 1
        Turn.objects.create(
            dialogue=dialogue, number=n, subtask=part, spent=spent[part], turn_cap=20, key=str(n), text=said,
            status="answered" if answer else "failed", texts=[answer] if answer else [], latency_ms=1200, seq=2 * n - 1,
            outcome_seq=2 * n, asked_at=at, settled_at=at, owner="",
        )  # fmt: skip
    for index, kind, status in ((1, "flight", "finished"), (2, "hotel", "given_up")):
        dialogue.subtasks.create(
            index=index, kind=kind, turn_cap=20, turns_used=spent[index], answered_turns=spent[index] - (index == 1),
            status=status,
        )  # fmt: skip
    return dialogue


def hand_in(dialogue, username, scores, verdicts):
    """A review with the same labels for all turns; returned with its version."""
    places = [key for key in Asked(dialogue).by_rating_key() if key.startswith("nugget")]
    labels = {key: "CNUG" if key.endswith("tester") else "HNUG" for key in places}
    return submit_review(
        dialogue=dialogue, reviewer=Person.objects.get(username=username), verdicts=verdicts, at=timezone.now(),
        ratings=labels | dict(zip(("accomplishment", "satisfaction", "effectiveness"), scores, strict=True)),
        evidence={"satisfaction": 10} if scores[1] < -1 else {}, based_on_version=0,
        comment="酒店部分三次问预算；机票部分顺利。" if scores[1] < 0 else "",
    )  # fmt: skip


def short_panels(scored, tester, at):
    """A campaign with a panel that nobody can fill, and one that was closed: reviewer-2 cannot judge either dialogue."""
    made = campaign("short", "方言对话评测", "Dialogues in dialect", scored)
    reviewer, organizer = (Person.objects.get(username=name) for name in ("reviewer-2", "organizer"))
    ids = [closed_dialogue(made, tester, made.entries.first(), n + 1, at).pk for n in range(2)]
    draw_review_places(campaign=made, at=at)
    dialogues = [Dialogue.objects.with_names().get(pk=pk) for pk in ids]
    for dialogue in dialogues:
        hand_in(dialogue, "reviewer-1", (1, 1, 0), {"1": True, "2": False})
        add_remark(dialogue=dialogue, reviewer=reviewer, kind="cannot_judge", text="听不懂方言", at=at)
    close_panel(dialogue=dialogues[1], organizer=organizer, because="没有别的评审员懂这种方言。", at=at)


def review_pages():
    """What stands on the pages: dialogues to be reviewed, one in dispute, a request to revise, one to be vetted."""
    at = timezone.now() - timedelta(hours=3)
    scored = rubric()
    panel = campaign(SLUG, "对话质量评测", "Dialogue quality", scored)
    vetted = campaign("vetted", "知识对话收集", "Knowledge dialogues", scored, experts_per_dialogue=1)
    tester = Person.objects.create_user("panel-tester")
    entries = list(panel.entries.order_by("alias"))
    dialogues = [closed_dialogue(panel, tester, entries[n % 2], n + 1, at + timedelta(minutes=n)) for n in range(5)]
    draw_review_places(campaign=panel, at=timezone.now())
    disputed = type(dialogues[-1]).objects.with_names().get(pk=dialogues[-1].pk)
    hand_in(disputed, "reviewer-1", (2, 1, 0), {"1": True, "2": False})
    review = hand_in(disputed, "reviewer-2", (-1, -2, 0), {"1": True, "2": True})
    RevisionRequest.objects.create(review=review, reason="第 12 轮的标记按错了。", asked_at=timezone.now())
    short_panels(scored, tester, at)
    compared_elsewhere(scored)
    collected = [closed_dialogue(vetted, tester, vetted.entries.first(), n + 1, at) for n in range(2)]
    made = {f"to_review_{number}": dialogue for number, dialogue in enumerate(dialogues, start=1)}
    made |= {"disputed": dialogues[-1], "to_vet": collected[0], "to_compare": pair_to_compare(panel)}
    examples_of_guide(panel, tester, disputed, at)
    return made


def picture(width=320, height=180):
    """A PNG of one colour with a darker band."""

    def chunk(kind, content):
        whole = kind + content
        return struct.pack(">I", len(content)) + whole + struct.pack(">I", zlib.crc32(whole))

    rows = b"".join(b"\0" + (b"\x5f" if 60 < row < 90 else b"\xc8") * width for row in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def show_picture(dialogue, number):
    """The answer of that turn is followed by a picture."""
    content, turn = picture(), dialogue.turns.get(number=number)
    known = picture_in(content)
    keep(file_of(dialogue.pk, known.name), content)
    turn.texts = [*turn.texts, known.line]
    turn.save(update_fields=["texts"])


def examples_of_guide(panel, tester, disputed, at):
    """Gold that is asked of nobody is an example for all; a dialogue in dispute is one for organizers alone."""
    organizer = Person.objects.get(username="organizer")
    made = closed_dialogue(panel, tester, panel.entries.first(), 90, at)
    shown = Dialogue.objects.with_names().get(pk=made.pk)
    show_picture(shown, 2)
    scores = {"accomplishment": -1, "satisfaction": -2, "effectiveness": -1}
    labels = {key: "CNUG" if key.endswith("tester") else "HNUG" for key in Asked(shown).by_rating_key() if "@" in key}
    content = {"ratings": labels | scores, "verdicts": {"1": True, "2": False}, "evidence": {"satisfaction": 10}}
    set_gold(dialogue=shown, organizer=organizer, content=content, is_for_training=False, at=at)
    chosen = (
        (shown, "satisfaction", -2, 10, "用户说了不超过 400 元，系统仍推荐 1280 元的酒店，之后又问了两次预算。"),
        (shown, "effectiveness", -1, 11, "重复询问已说过的预算；其余问题都有必要。"),
        (disputed, "satisfaction", 1, None, "机票一次办成，酒店没有订到，但系统没有说错。"),
    )
    for dialogue, key, score, turn, reason in chosen:
        point = panel.rubric.criteria.get(key=key).points.get(score=score)
        add_example(dialogue=dialogue, point=point, turn=turn, reason=reason, by=organizer, at=at)


def compared_elsewhere(scored):
    """A campaign with comparisons of five systems from elsewhere: the earlier one of two wins more often."""
    rng = random.Random(1)
    made = campaign("compared", "两两比较评测", "Systems compared in pairs", scored)
    battles = [
        Battle(
            "", f"model-{left}", f"model-{right}", verdict, f"judge-{rng.randrange(12)}", f"question-{number}", False
        )
        for left, right in combinations("abcde", 2)
        for number, verdict in enumerate(rng.choices(("left", "right", "tie", "both_bad"), (6, 4, 2, 1), k=20))
    ]
    organizer, at = Person.objects.get(username="organizer"), timezone.now()
    import_battles(campaign=made, battles=battles, by=organizer, at=at)
    refresh_pair_board(campaign=made, at=at)
    freeze(campaign=made, hides_teams=False, by=None, at=at)


def pair_to_compare(panel):
    """Two finished dialogues side by side, in front of a reviewer who compared a pair before."""
    Campaign.objects.filter(pk=panel.pk).update(pairs_kind="finished")
    panel.refresh_from_db()
    judge, at = Person.objects.get(username="reviewer-1"), timezone.now()
    first = open_next_pair(campaign=panel, judge=judge, at=at)
    vote(pair=first, judge=judge, verdict="left", based_on_version=0, at=at, reason="回答更直接")
    return open_next_pair(campaign=panel, judge=judge, at=at)
