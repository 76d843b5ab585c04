#!/usr/bin/env python3
"""A booking system for flights, trains and hotels that speaks huace/1. One file, standard library only.

    python booking_bot.py --port 8101

It keeps no state of a dialogue: every request carries the history, and the answer follows from replaying what the
tester said. Bookings are written to memory and listed at GET /bookings?dialogue=…
"""

import argparse
import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
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


class Conversation:
    """Replays what the tester said; `reply` is the answer to the last utterance, `booked` what was booked so far."""

    def __init__(self):
        self.queue, self.booked, self.slots = [], [], {kind: {} for kind in SLOTS}
        self.kind = self.asked = self.offer = None
        self.n_refused = 0
        self.city = None
        self.reply = ""

    def hear(self, text):
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
            self.reply = f"{KIND_NAMES[self.kind]}预订成功，订单号{self.kind[0].upper()}{1000 + len(self.booked)}。"
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
            self.reply += f"接下来为您订{KIND_NAMES[self.kind]}。" if self.booked else ""
        if self.kind is None:
            self.reply = (
                self.reply + "还需要订什么吗？" if self.booked else "您好，我可以订机票、火车票和酒店，请问需要什么？"
            )
            return
        slots = self.slots[self.kind]
        self.asked = next((slot for slot in SLOTS[self.kind] if slot not in slots), None)
        if self.asked:
            self.reply += QUESTIONS[self.asked]
            return
        found = options(self.kind, slots)
        if not found:
            self.reply += f"抱歉，没有{slots.get('from') or ''}到{slots.get('to') or ''}的{KIND_NAMES[self.kind]}。"
            self.kind = None
            return
        self.offer = found[self.n_refused % len(found)]
        self.reply += f"为您找到：{describe(self.kind, self.offer, slots)}。确认预订吗？"


BOOKINGS = {}


def answer(request):
    """The reply to one huace/1 request; the bookings of the dialogue are what the replay booked."""
    conversation = Conversation()
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
