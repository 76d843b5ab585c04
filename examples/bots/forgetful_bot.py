#!/usr/bin/env python3
"""A weak booking system on Rasa's REST channel: it understands one thing a message and often asks again.

    python forgetful_bot.py --port 8103

One file, standard library only. It keeps a form per sender in memory, so a restart forgets everything. An array of
two messages is one turn. Bookings are listed at GET /bookings?dialogue=…
"""

import argparse
import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

TRAVEL = json.loads(Path(__file__).with_name("travel.json").read_text(encoding="utf-8"))
CITY = "|".join(sorted({row["city"] for row in TRAVEL["hotels"]}))
PLACE = "|".join(sorted({row["place"] for row in TRAVEL["hotels"]}))
FORMS = {
    "flight": [
        ("from", "出发城市是哪里？", CITY),
        ("to", "到达城市是哪里？", CITY),
        ("date", "什么日期？", r"后天|明天|今天|下?周[一二三四五六日]"),
        ("time", "什么时间段？", "上午|下午|晚上"),
        ("class", "什么舱位？", "经济舱|商务舱"),
    ],
    "train": [
        ("from", "出发城市是哪里？", CITY),
        ("to", "到达城市是哪里？", CITY),
        ("date", "什么日期？", r"后天|明天|今天|下?周[一二三四五六日]"),
        ("time", "什么时间段？", "上午|下午|晚上"),
        ("seat", "什么座位？", "二等座|一等座"),
    ],
    "hotel": [
        ("city", "哪个城市？", CITY),
        ("place", "什么位置？", PLACE),
        ("budget", "每晚预算多少？", r"\d{3,4}"),
        ("nights", "住几晚？", r"[一二三两\d](?=晚)"),
    ],
}
KIND_WORDS = {"flight": "机票|航班|飞机", "train": "火车|高铁|动车", "hotel": "酒店|宾馆"}
FORGETS_EVERY = 3
FORMS_OPEN, BOOKINGS = {}, {}


class Form:
    """One booking in progress: a fixed list of questions, asked one by one, each third answer lost."""

    def __init__(self, kind):
        self.kind, self.slots, self.n_heard, self.is_offered = kind, {}, 0, False

    def question(self):
        return next(((slot, ask, pattern) for slot, ask, pattern in FORMS[self.kind] if slot not in self.slots), None)

    def hear(self, text):
        """Takes the answer to the question that is open; some answers are not heard."""
        slot, ask, pattern = self.question()
        self.n_heard += 1
        match = re.search(pattern, text)
        if match is None or self.n_heard % FORGETS_EVERY == 0:
            return ["对不起，我没有听清。", f"请再说一次，{ask}"]
        self.slots[slot] = match[0]
        following = self.question()
        return [following[1]] if following else self.offer()

    def offer(self):
        self.is_offered = True
        row = self.best()
        if row is None:
            return ["抱歉，没有找到合适的。"]
        return [f"找到{row.get('number') or row['name']}，{row['price']}元。", "要确认吗？"]

    def best(self):
        """The first row of the right place; it does not look at the time, and at the price only for hotels."""
        if self.kind == "hotel":
            rows = [
                row
                for row in TRAVEL["hotels"]
                if (row["city"], row["place"]) == (self.slots["city"], self.slots["place"])
            ]
            rows = [row for row in rows if row["price"] <= int(self.slots["budget"])] or rows
        else:
            ends = (self.slots["from"], self.slots["to"])
            level = "class" if self.kind == "flight" else "seat"
            rows = [row for row in TRAVEL[self.kind + "s"] if (row["from"], row["to"]) == ends]
            rows = [row for row in rows if row[level] == self.slots[level]] or rows
        return rows[0] if rows else None


def reply_to(sender, text):
    form = FORMS_OPEN.get(sender)
    if form is None:
        kind = next((kind for kind, words in KIND_WORDS.items() if re.search(words, text)), None)
        if kind is None:
            return ["我可以订机票、火车票或酒店，请说您要订哪一种。"]
        form = FORMS_OPEN[sender] = Form(kind)
        return ["好的。", form.question()[1]]
    if not form.is_offered:
        return form.hear(text)
    row = form.best()
    del FORMS_OPEN[sender]
    if row is None or not re.search("好|可以|确认|要|行|是", text) or "不" in text:
        return ["好的，已取消。还需要订什么？"]
    BOOKINGS.setdefault(sender, []).append({"kind": form.kind, "row": row, "slots": form.slots})
    return ["预订成功。", "还需要订什么？"]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        try:
            request = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            texts = reply_to(str(request["sender"]), str(request["message"]))
            self.send(200, [{"recipient_id": request["sender"], "text": text} for text in texts])
        except (ValueError, KeyError, TypeError) as bad:
            self.send(400, {"status": "failure", "reason": repr(bad)})

    def do_GET(self):
        dialogue = parse_qs(urlsplit(self.path).query).get("dialogue", [""])[0]
        self.send(200, BOOKINGS.get(dialogue, []))

    def send(self, status, body):
        content = json.dumps(body, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args):
        pass


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=8103)
    ThreadingHTTPServer(("127.0.0.1", parser.parse_args().port), Handler).serve_forever()
