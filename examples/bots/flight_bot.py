#!/usr/bin/env python3
"""A flight booking system behind an OpenAI-compatible chat completions endpoint, streamed (SSE) or whole.

    python flight_bot.py --port 8102

One file, standard library only. It books flights and nothing else. The conversation is read anew from `messages` in
every request; `user` names the dialogue. Bookings are listed at GET /bookings?dialogue=…
"""

import argparse
import json
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

FLIGHTS = json.loads(Path(__file__).with_name("travel.json").read_text(encoding="utf-8"))["flights"]
CITY = "|".join(sorted({row[end] for row in FLIGHTS for end in ("from", "to")}))
PATTERNS = {
    "from": rf"从?({CITY})(?:出发|飞|到|去)",
    "to": rf"(?:飞|到|去)({CITY})",
    "date": r"(后天|明天|今天|下?周[一二三四五六日]|\d{1,2}月\d{1,2}[日号])",
    "time": r"(上午|中午|下午|晚上|早上)",
    "class": r"(经济舱|商务舱)",
}
QUESTIONS = {
    "from": "您从哪个城市出发？",
    "to": "您要飞往哪个城市？",
    "date": "您哪一天出发？",
    "time": "您希望上午、下午还是晚上起飞？",
    "class": "经济舱还是商务舱？",
}
HOURS = {"早上": (0, 12), "上午": (0, 12), "中午": (11, 14), "下午": (12, 18), "晚上": (18, 24)}
BOOKINGS = {}


def understand(messages):
    """The wishes gathered from all user messages, and whether the last offer was accepted."""
    wishes, asked = {}, None
    for message in messages:
        text = message["content"]
        if message["role"] == "assistant":
            asked = next((slot for slot, question in QUESTIONS.items() if question in text), None)
            continue
        for slot, pattern in PATTERNS.items():
            if match := re.search(pattern, text):
                wishes[slot] = match[1]
        if asked in ("from", "to") and (match := re.search(CITY, text)):
            wishes[asked] = match[0]
    return wishes


def search(wishes):
    rows = [row for row in FLIGHTS if (row["from"], row["to"]) == (wishes["from"], wishes["to"])]
    rows = [row for row in rows if row["class"] == wishes["class"]]
    first, last = HOURS[wishes["time"]]
    return [row for row in rows if first <= int(row["depart"][:2]) < last] or rows


def reply_to(messages, dialogue):
    said = [message for message in messages if message["role"] in ("user", "assistant")]
    text = said[-1]["content"]
    before = said[-2]["content"] if len(said) > 1 else ""
    if BOOKINGS.get(dialogue) and "是否预订" not in before:
        return "机票已经订好了。抱歉，我只能订机票，其他业务无法办理。"
    if not any("机票" in m["content"] or "航班" in m["content"] or "飞" in m["content"] for m in said):
        return "抱歉，我只能订机票。请告诉我从哪里飞到哪里。"
    wishes = understand(said)
    missing = [slot for slot in QUESTIONS if slot not in wishes]
    if missing:
        return QUESTIONS[missing[0]]
    found = search(wishes)
    if not found:
        return f"抱歉，没有从{wishes['from']}到{wishes['to']}的航班。"
    flight = found[0]
    if "是否预订" in before and re.search("好|可以|确认|是|行|订", text) and "不" not in text:
        BOOKINGS[dialogue] = [{"kind": "flight", "row": flight, "slots": wishes}]
        return f"已为您预订成功，订单号HF{abs(hash(dialogue)) % 10000:04d}，祝您旅途愉快。"
    return (
        f"{wishes['date']}有{flight['number']}航班，{flight['depart']}起飞，{flight['arrive']}到达，"
        f"{flight['class']}{flight['price']}元，是否预订？"
    )


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        try:
            request = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            text = reply_to(request["messages"], str(request.get("user", "")))
        except (ValueError, KeyError, TypeError, IndexError) as bad:
            self.send_json(400, {"error": {"message": f"not a chat completions request: {bad!r}"}})
            return
        if request.get("stream"):
            self.stream(text)
        else:
            message = {"role": "assistant", "content": text}
            self.send_json(
                200,
                {"object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]},
            )

    def stream(self, text):
        """Sends the reply in pieces of four characters, as chunked server-sent events."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for start in range(0, len(text), 4):
            self.event(
                {"choices": [{"index": 0, "delta": {"content": text[start : start + 4]}, "finish_reason": None}]}
            )
            time.sleep(0.01)
        self.event({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        self.chunk(b"data: [DONE]\n\n")
        self.chunk(b"")

    def event(self, body):
        self.chunk(f"data: {json.dumps({'object': 'chat.completion.chunk', **body}, ensure_ascii=False)}\n\n".encode())

    def chunk(self, content):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(content), content))

    def do_GET(self):
        dialogue = parse_qs(urlsplit(self.path).query).get("dialogue", [""])[0]
        self.send_json(200, BOOKINGS.get(dialogue, []))

    def send_json(self, status, body):
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
    parser.add_argument("--port", type=int, default=8102)
    ThreadingHTTPServer(("127.0.0.1", parser.parse_args().port), Handler).serve_forever()
