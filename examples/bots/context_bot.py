#!/usr/bin/env python3
"""A bot that talks about the context of its dialogue and nothing else; it speaks huace/1. One file, standard library only.

    python context_bot.py --port 8105

The context may hold `kb` (rows with a 名称 and properties), `persona` (sentences), `knowledge` (subject, relation, object) and
`recommend` (a 名称 and a 理由). It keeps no state: what was talked about last follows from the history.
"""

import argparse
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NAME = "名称"
GREETING = "你好，请问有什么可以帮你？"
FAREWELL = "不客气，再见！"
FAREWELLS = ("再见", "拜拜", "没有别的了")
SMALL_TALK = ("嗯，你接着说。", "原来是这样，那你觉得呢？", "有意思，后来怎么样了？")


def answer(request):
    """The reply to one request; a farewell ends the dialogue."""
    text, context = request["text"], request.get("context") or {}
    if request["turn"] == 0:
        return {"text": GREETING}
    if any(word in text for word in FAREWELLS):
        return {"text": FAREWELL, "end": True}
    said = [line["text"] for line in request.get("history", []) if line["role"] == "user"]
    for reply in (of_kb, of_knowledge, of_recommendation, of_persona):
        if text_of_reply := reply(text, said, context):
            return {"text": text_of_reply}
    return {"text": SMALL_TALK[len(said) % len(SMALL_TALK)]}


def of_kb(text, said, context):
    """The properties that are asked for, of the row that was named last; all of them where none is."""
    rows = context.get("kb", [])
    if not rows:
        return ""
    spoken_of = next((row for words in (text, *reversed(said)) for row in rows if row[NAME] in words), None)
    if spoken_of is None:
        return f"我可以介绍这些：{'、'.join(row[NAME] for row in rows)}。"
    if "办" in text or "开通" in text:
        return f"好的，已经为你办理{spoken_of[NAME]}，还需要别的吗？"
    properties = {name: value for name, value in spoken_of.items() if name != NAME}
    question = text.replace(spoken_of[NAME], "")
    asked = {name: value for name, value in properties.items() if name in question} or properties
    return f"{spoken_of[NAME]}的{'，'.join(f'{name}是{value}' for name, value in asked.items())}。"


def of_knowledge(text, said, context):
    """What is known of the subject that is named, one thing after the other."""
    known = [
        row for row in context.get("knowledge", []) if row[0] in text or row[1] in text or row[0] in " ".join(said)
    ]
    if not known:
        return ""
    subject, relation, thing = next((row for row in known if row[1] in text), known[len(said) % len(known)])
    return f"我知道{subject}的{relation}是{thing}。"


def of_recommendation(text, said, context):
    wanted = context.get("recommend")
    if wanted and ("推荐" in text or len(said) >= 2):
        return f"推荐你试试{wanted[NAME]}，因为{wanted['理由']}。"
    return ""


def of_persona(text, said, context):
    sentences = context.get("persona", [])
    return sentences[len(said) % len(sentences)] if sentences else ""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        try:
            self.send(200, answer(json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))))
        except (ValueError, KeyError, TypeError, AttributeError) as bad:
            self.send(400, {"error": f"not a huace/1 request: {bad!r}"})

    def do_GET(self):
        """Says what it speaks, to whoever asks before the first word."""
        self.send(200, {"protocol": "huace/1"})

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
    parser.add_argument("--port", type=int, default=8105)
    ThreadingHTTPServer(("127.0.0.1", parser.parse_args().port), Handler).serve_forever()
