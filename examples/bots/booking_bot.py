#!/usr/bin/env python3
"""A booking system for flights, trains and hotels that speaks huace/1. One file, standard library only.

    python booking_bot.py --port 8101

It keeps no state of a dialogue: every request carries the history, and the answer follows from replaying what the
tester said, in Chinese or in English as the request's `language` says. Bookings are written to memory and listed at GET /bookings?dialogue=…
"""

import argparse
import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

TRAVEL = json.loads(Path(__file__).with_name("travel.json").read_text(encoding="utf-8"))
CITIES = sorted({row["city"] for row in TRAVEL["hotels"]} | {row["from"] for row in TRAVEL["flights"]})
PLACES = sorted({row["place"] for row in TRAVEL["hotels"]}, key=len, reverse=True)
CITY = "|".join(CITIES)

KIND_WORDS = {
    "flight": ("机票", "飞机", "航班", "飞"),
    "train": ("火车", "高铁", "动车", "车票"),
    "hotel": ("酒店", "宾馆", "旅馆", "住宿"),
}
KIND_NAMES = {"flight": "机票", "train": "火车票", "hotel": "酒店"}
SLOTS = {
    "flight": ("from", "to", "date", "time", "class"),
    "train": ("from", "to", "date", "time", "seat"),
    "hotel": ("city", "place", "budget", "nights"),
}
QUESTIONS = {
    "from": "请问从哪个城市出发？",
    "to": "请问要去哪个城市？",
    "date": "请问哪天出发？",
    "time": "请问上午、下午还是晚上出发？",
    "class": "请问要经济舱还是商务舱？",
    "seat": "请问要二等座还是一等座？",
    "city": "请问要订哪个城市的酒店？",
    "place": "请问想住在什么位置附近？",
    "budget": "请问每晚的预算是多少元？",
    "nights": "请问住几晚？",
}
HOURS = {"上午": (0, 12), "下午": (12, 18), "晚上": (18, 24)}
TIME_WORDS = {
    "早上": "上午",
    "早晨": "上午",
    "上午": "上午",
    "中午": "下午",
    "下午": "下午",
    "晚上": "晚上",
    "傍晚": "晚上",
}
DATE = re.compile(
    r"大后天|后天|明天|今天|下?周[一二三四五六日天]|下?星期[一二三四五六日天]|\d{1,2}月\d{1,2}[日号]|\d{1,2}号"
)
BUDGET = re.compile(r"(?:不超过|预算|最多)\D{0,4}(\d{2,5})|(\d{2,5})\s*(?:元|块)?\s*(?:以内|以下|左右|一晚)")
NIGHTS = re.compile(r"([一二两三四五六七\d]+)\s*(?:晚|夜)(?!上)")
DIGITS = {"一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7}
ANYTHING = ("随便", "都可以", "都行", "不限", "无所谓")
YES = ("好", "可以", "行", "确认", "是的", "没问题", "就订", "订吧", "对")
NO = ("不要", "不好", "不行", "换", "别的", "其他", "不是")


def kinds_in(text):
    """The kinds of booking a text names, in the order in which it names them."""
    found = {
        kind: min((text.find(word) for word in words if word in text), default=-1) for kind, words in KIND_WORDS.items()
    }
    return sorted((kind for kind, place in found.items() if place >= 0), key=found.get)


def slots_in(text, asked):
    """What a text says about a trip or a stay; a bare answer is taken for the slot that was asked."""
    slots = {}
    if match := re.search(rf"({CITY})(?:飞|到|去|至|往)({CITY})", text):
        slots["from"], slots["to"] = match.groups()
    elif match := re.search(rf"从({CITY})", text):
        slots["from"] = match[1]
        if match := re.search(rf"(?:到|去|飞)({CITY})", text):
            slots["to"] = match[1]
    elif match := re.search(rf"(?:到|去|飞|目的地是?)({CITY})", text):
        slots["to"] = match[1]
    elif match := re.search(CITY, text):
        slots["to" if asked == "to" else "from" if asked == "from" else "city"] = match[0]
    if match := re.search(CITY, text):
        slots.setdefault("city", match[0])
    if match := DATE.search(text):
        slots["date"] = match[0]
    for word, time in TIME_WORDS.items():
        if word in text:
            slots["time"] = time
    for name, words in (("class", ("经济舱", "商务舱")), ("seat", ("二等座", "一等座")), ("place", PLACES)):
        for word in words:
            if word in text:
                slots[name] = word
    if match := BUDGET.search(text):
        slots["budget"] = int(match[1] or match[2])
    elif asked == "budget" and (match := re.search(r"\d{2,5}", text)):
        slots["budget"] = int(match[0])
    if (match := NIGHTS.search(text)) and "预算" not in text:
        slots["nights"] = DIGITS.get(match[1]) or (int(match[1]) if match[1].isdigit() and int(match[1]) < 30 else 1)
    elif asked == "nights" and (match := re.fullmatch(r"([一二两三]|\d{1,2})\W*", text)):
        slots["nights"] = DIGITS.get(match[1]) or int(match[1])
    return slots


def options(kind, slots):
    """The rows that fit best: all wishes first, then without time or place."""
    if kind == "hotel":
        rows = [row for row in TRAVEL["hotels"] if row["city"] == slots["city"]]
        near = [row for row in rows if slots["place"] in (None, row["place"])]
        fitting = [row for row in near if slots["budget"] is None or row["price"] <= slots["budget"]]
        return fitting or sorted(near or rows, key=lambda row: row["price"])
    rows = [row for row in TRAVEL[kind + "s"] if (row["from"], row["to"]) == (slots["from"], slots["to"])]
    level = "class" if kind == "flight" else "seat"
    rows = [row for row in rows if slots[level] in (None, row[level])]
    first, last = HOURS.get(slots["time"], (0, 24))
    return [row for row in rows if first <= int(row["depart"][:2]) < last] or rows


def describe(kind, row, slots):
    if kind == "hotel":
        return f"{row['name']}（{row['city']}{row['place']}），每晚 {row['price']} 元，住 {slots['nights'] or 1} 晚"
    level = row["class"] if kind == "flight" else row["seat"]
    return f"{slots['date'] or '当天'}{row['number']}，{row['depart']}从{row['from']}出发，{row['arrive']}到{row['to']}，{level} {row['price']} 元"


CHINESE = SimpleNamespace(
    understood=str,
    describe=describe,
    kind_names=KIND_NAMES,
    questions=QUESTIONS,
    booked="{kind}预订成功，订单号{number}。",
    next_kind="接下来为您订{kind}。",
    more="还需要订什么吗？",
    hello="您好，我可以订机票、火车票和酒店，请问需要什么？",
    nothing="抱歉，没有{start}到{end}的{kind}。",
    offer="为您找到：{row}。确认预订吗？",
)
# The data is Chinese: what is said in English is put into these words before it is understood, and rows are put back for the answer.
NAMES = {
    "Shanghai": "上海", "Beijing": "北京", "Nanjing": "南京", "Guangzhou": "广州", "Chengdu": "成都", "Hangzhou": "杭州",
    "Wuhan": "武汉", "Xi'an": "西安", "Zhongguancun": "中关村", "People's Square": "人民广场", "Optics Valley": "光谷",
    "Guomao": "国贸", "the Bund": "外滩", "Big Wild Goose Pagoda": "大雁塔", "Tianhe": "天河", "Fuzimiao": "夫子庙",
    "Kuanzhai Alley": "宽窄巷子", "Xinjiekou": "新街口", "Chunxi Road": "春熙路", "Jianghan Road": "江汉路",
    "Wangfujing": "王府井", "Zhujiang New Town": "珠江新城", "Hongqiao": "虹桥", "West Lake": "西湖", "Bell Tower": "钟楼",
    "Qianjiang New Town": "钱江新城", "economy": "经济舱", "business": "商务舱", "second class": "二等座",
    "first class": "一等座", "the day after tomorrow": "后天", "tomorrow": "明天", "today": "今天", "Monday": "周一",
    "Tuesday": "周二", "Wednesday": "周三", "Thursday": "周四", "Friday": "周五", "Saturday": "周六", "Sunday": "周日",
}  # fmt: skip
SAID = {
    r"\bflights?\b|\bfly\b": "机票", r"\btrains?\b": "火车", r"\bhotels?\b|\broom\b": "酒店", r"\bmorning\b": "上午",
    r"\bafternoon\b|\bnoon\b": "下午", r"\bevening\b": "晚上", r"\bfrom\b": "从", r"\bto\b(?= *[一-龥])": "到",
    r"\b(at most|up to|under|not more than|budget)\b": "不超过", r"\b(\d+|one|two|three) nights?\b": r"\1晚",
    r"\b(any|anything|anywhere|whatever)\b": "都可以", r"\b(no|not|other|another|different)\b": "换", r"\bone(?=晚|\W*$)": "一",
    r"\b(yes|ok|okay|sure|please do|confirm|book it|go ahead)\b": "确认", r"\btwo(?=晚|\W*$)": "两", r"\bthree(?=晚|\W*$)": "三",
}  # fmt: skip
BRANDS = {
    "临江": "Linjiang", "云栖": "Yunqi", "和悦": "Heyue", "四季青": "Sijiqing", "安澜": "Anlan", "望岳": "Wangyue",
    "知行": "Zhixing", "锦程": "Jincheng", "轻居": "Inn", "酒店": "Hotel",
}  # fmt: skip


def in_chinese(said):
    """The words of an English sentence that the conversation understands, in Chinese."""
    for english in sorted(NAMES, key=len, reverse=True):
        said = re.sub(re.escape(english), NAMES[english], said, flags=re.IGNORECASE)
    for english, chinese in SAID.items():
        said = re.sub(english, chinese, said, flags=re.IGNORECASE)
    return re.sub(r"(?<=[一-龥]) +(?=[一-龥])", "", said)


def in_english(text):
    for chinese, english in BRANDS.items():
        text = text.replace(chinese, f" {english}")
    for english in sorted(NAMES, key=lambda name: len(NAMES[name]), reverse=True):
        text = text.replace(NAMES[english], f" {english}")
    return " ".join(text.split())


def describe_in_english(kind, row, slots):
    if kind == "hotel":
        nights = slots["nights"] or 1
        stay = "1 night" if nights == 1 else f"{nights} nights"
        return f"{in_english(row['name'])} in {in_english(row['city'])}, {row['price']} yuan per night, {stay}"
    level, start, end = (in_english(row[name]) for name in ("class" if kind == "flight" else "seat", "from", "to"))
    day = in_english(slots["date"] or "")
    when = f"{row['depart']} from {start}, {row['arrive']} in {end}"
    return f"{row['number']}{day and ', ' + day}, {when}, {level}, {row['price']} yuan"


ENGLISH = SimpleNamespace(
    understood=in_chinese,
    describe=describe_in_english,
    kind_names={"flight": "flight", "train": "train ticket", "hotel": "hotel"},
    questions={
        "from": "Which city do you leave from?",
        "to": "Which city are you going to?",
        "date": "On which day do you leave?",
        "time": "In the morning, in the afternoon or in the evening?",
        "class": "Economy or business?",
        "seat": "Second class or first class?",
        "city": "In which city do you need the hotel?",
        "place": "Near which place would you like to stay?",
        "budget": "How many yuan per night may it cost?",
        "nights": "How many nights?",
    },
    booked="Your {kind} is booked, order number {number}. ",
    next_kind="Next, the {kind}. ",
    more="Is there anything else to book?",
    hello="Hello, I book flights, train tickets and hotels. What do you need?",
    nothing="Sorry, there is no {kind} from {start} to {end}. ",
    offer="I found {row}. Shall I book it?",
)


class Conversation:
    """Replays what the tester said; `reply` is the answer to the last utterance, `booked` what was booked so far."""

    def __init__(self, words=CHINESE):
        self.words = words
        self.queue, self.booked, self.slots = [], [], {kind: {} for kind in SLOTS}
        self.kind = self.asked = self.offer = None
        self.n_refused = 0
        self.city = None
        self.reply = ""

    def hear(self, said):
        text = self.words.understood(said)
        self.reply = ""
        named = kinds_in(text)
        clauses = [clause for clause in re.split(r"[，。；！？,;!?]", text) if clause.strip()]
        about = self.kind or (named[0] if named else None)
        for kind in named:
            if kind not in self.queue and kind != self.kind and kind not in [done for done, *_ in self.booked]:
                self.queue.append(kind)
        for clause in clauses:
            about = (kinds_in(clause) or [about])[0]
            if about:
                self.slots[about].update({k: v for k, v in slots_in(clause, self.asked).items() if k in SLOTS[about]})
        if self.asked and self.asked not in self.slots[self.kind] and any(word in text for word in ANYTHING):
            self.slots[self.kind][self.asked] = None
        if self.offer and not self.answer_offer(text):
            return
        self.move_on()

    def answer_offer(self, text):
        """True when the offer is settled; False while it still stands and `reply` says so."""
        if any(word in text for word in NO):
            self.n_refused += 1
            self.offer = None
            return True
        if any(word in text for word in YES):
            self.booked.append((self.kind, self.offer, dict(self.slots[self.kind])))
            self.say(self.words.booked, number=f"{self.kind[0].upper()}{1000 + len(self.booked)}")
            self.city = self.offer.get("to") or self.offer.get("city")
            self.kind = self.offer = self.asked = None
            self.n_refused = 0
            return True
        self.offer = None
        return True

    def move_on(self):
        if self.kind is None and self.queue:
            self.kind = self.queue.pop(0)
            if self.kind == "hotel" and self.city:
                self.slots["hotel"].setdefault("city", self.city)
            self.say(self.words.next_kind if self.booked else "")
        if self.kind is None:
            self.say(self.words.more if self.booked else self.words.hello)
            return
        slots = self.slots[self.kind]
        self.asked = next((slot for slot in SLOTS[self.kind] if slot not in slots), None)
        if self.asked:
            self.say(self.words.questions[self.asked])
            return
        found = options(self.kind, slots)
        if not found:
            self.say(self.words.nothing, start=slots.get("from") or "", end=slots.get("to") or "")
            self.kind = None
            return
        self.offer = found[self.n_refused % len(found)]
        self.say(self.words.offer, row=self.words.describe(self.kind, self.offer, slots))

    def say(self, sentence, **about):
        self.reply += sentence.format(kind=self.words.kind_names.get(self.kind), **about)


BOOKINGS = {}


def answer(request):
    """The reply to one huace/1 request; the bookings of the dialogue are what the replay booked."""
    conversation = Conversation(ENGLISH if request.get("language") == "en" else CHINESE)
    for said in request.get("history", []):
        if said["role"] == "user":
            conversation.hear(said["text"])
    conversation.hear(request["text"])
    BOOKINGS[request["dialogue"]] = [
        {"kind": kind, "row": row, "slots": slots} for kind, row, slots in conversation.booked
    ]
    return {"text": conversation.reply}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        try:
            request = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            self.send(200, answer(request))
        except (ValueError, KeyError, TypeError) as bad:
            self.send(400, {"error": f"not a huace/1 request: {bad!r}"})

    def do_GET(self):
        dialogue = parse_qs(urlsplit(self.path).query).get("dialogue", [""])[0]
        self.send(200, BOOKINGS.get(dialogue, []))

    def send(self, status, body):
        content = json.dumps(body, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Huace-Protocol", "huace/1")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args):
        pass


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8101)
    ThreadingHTTPServer(("127.0.0.1", parser.parse_args().port), Handler).serve_forever()
