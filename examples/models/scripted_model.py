#!/usr/bin/env python3
"""A "language model" that follows a script, behind an OpenAI-compatible chat completions endpoint.

    python scripted_model.py --port 8201

One file, standard library only. What it answers depends on the request alone (its messages, seed and model), so that a
test, a demo and a newcomer see the same. It counts tokens as two characters each.

With a schema (response_format, a tool, or a schema written into the prompt) it answers JSON that fits: as a tester where the
schema has `act`, as a judge where it has `ratings`, else the first thing that fits. Without one it answers a sentence.

A judge is fair unless the model's name plants a bias, each from 0 (none) to 1 (always): "scripted:length=0.5,self=0.3".

    length      a score rises with the length of the system's replies
    position    the point that stands first on its scale is chosen
    turns       the turn that stands first decides
    self        a score rises where the prompt says that the model wrote the replies itself
    obeys       a score is full where the dialogue asks the judge for it
    noise       a score is any point
"""

import argparse
import hashlib
import json
import random
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODEL = "scripted"
IN_WORDS = re.compile(r"JSON Schema: (\{.*\})\s*\Z", re.DOTALL)


def schema_in(request):
    """The schema that the answer is to fit, and whether it goes into a tool's call."""
    form = request.get("response_format") or {}
    if form.get("type") == "json_schema":
        return form["json_schema"]["schema"], False
    for tool in request.get("tools") or []:
        return tool["function"]["parameters"], True
    for message in request["messages"]:
        if found := IN_WORDS.search(message["content"]):
            return json.loads(found[1]), False
    return None, False


def dice_of(request):
    """Chance that is the same for the same request."""
    said = json.dumps([request["messages"], request.get("seed"), request.get("model")], sort_keys=True)
    return random.Random(hashlib.sha256(said.encode()).digest())


def filled(schema, dice):
    """A value that fits the schema: the first thing a model without an opinion would say."""
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return dice.choice(schema["enum"])
    if "anyOf" in schema:
        return filled(schema["anyOf"][0], dice)
    kind = schema.get("type", "object")
    if kind == "object":
        return {name: filled(inner, dice) for name, inner in schema.get("properties", {}).items()}
    if kind == "array":
        return [filled(schema.get("items", {"type": "string"}), dice) for _ in range(schema.get("minItems", 0))]
    if kind in ("integer", "number"):
        lowest = schema.get("minimum", 0)
        return dice.randint(int(lowest), int(schema.get("maximum", lowest + 4)))
    if kind == "boolean":
        return dice.random() < 0.5
    return None if kind == "null" else "好的。"[: schema.get("maxLength", 3)]


# -- a tester -------------------------------------------------------------------------------------------------------

FACTS = re.compile(r"^(?:事实|Facts): (\{.*\})$", re.MULTILINE)
OPENING = re.compile(r"^(?:第一句可以这样说|You may begin with): (.+)$", re.MULTILINE)
ITEM = re.compile(r"^  (\d+)\. (.+)$", re.MULTILINE)
NOW = re.compile(
    r"\[(?:现在：第 (\d+)/\d+ 部分（([^）]*)），还可以说 (\d+) 轮|Now: part (\d+) of \d+ \(([^)]*)\), (\d+) turns)"
)
DONE = re.compile(r"成功|订单号|已为您|is booked|order number", re.IGNORECASE)
SORRY = re.compile(r"抱歉|无法|不能|sorry|cannot", re.IGNORECASE)
OFFER = re.compile(r"确认.*吗|是否预订|预订吗|shall i|do you want", re.IGNORECASE)
KINDS = {"flight": ("机票", "flight"), "train": ("火车票", "train"), "hotel": ("酒店", "hotel")}
# How a system asks for a fact, and how a tester says it.
ASKED_FOR = {
    "from": "从哪|出发地|leave from", "to": "去哪|前往|目的地|going to", "date": "哪天|哪一天|日期|which day",
    "time": "上午|什么时间|几点|in the morning", "class": "经济舱|economy", "seat": "二等座|second class",
    "city": "哪个城市|which city", "place": "位置|附近|near which", "budget": "预算|how many yuan", "nights": "几晚|how many nights",
}  # fmt: skip
SAID_ZH = {"from": "从{}出发", "to": "到{}", "place": "{}附近", "budget": "预算不超过{}元", "nights": "{}晚"}
SAID_EN = {"from": "from {}", "to": "to {}", "place": "near {}", "budget": "at most {} yuan", "nights": "{} nights"}


def next_act(request):
    """What a tester does who knows the card and says one fact at a time: what it is asked for, else the next one untold."""
    card, *talk = request["messages"]
    told = " ".join(one["content"] for one in talk if one["role"] == "assistant")
    replies = [NOW.split(one["content"])[0].strip() for one in talk if one["role"] == "user"]
    heard = replies[-1] if told else ""
    now = NOW.search(talk[-1]["content"])
    part, kind, left = (int(now[1] or now[4]), now[2] or now[5], int(now[3] or now[6])) if now else (1, "", 9)
    items = {int(number): text for number, text in ITEM.findall(card["content"])}
    ticked = [number for number, text in items.items() if text in told]

    def act(what, text=""):
        used = [number for number, one in items.items() if number in ticked or one in text]
        return {"act": what, "text": text, "ticked": used}

    if sum(bool(DONE.search(one)) for one in replies) >= part and len(ticked) == len(items):
        return act("finish")
    if left <= 1 or sum(bool(SORRY.search(one)) for one in replies) >= 3:
        return act("give_up")
    opening = OPENING.search(card["content"])
    if not told and opening:
        return act("say", opening[1])
    if OFFER.search(heard):
        return act("say", "好的，确认。" if has_chinese(heard) else "Yes, please do.")
    if part > 1 and kind in KINDS and not any(word in told for word in KINDS[kind]):
        return act("say", f"我还要订{KINDS[kind][0]}" if has_chinese(heard) else f"I also need a {KINDS[kind][1]}")
    facts = json.loads(FACTS.search(card["content"])[1]) if FACTS.search(card["content"]) else {}
    own = facts.get(kind, {}) if isinstance(facts.get(kind), dict) else {}
    untold = [name for name, value in own.items() if str(value) not in told]
    asked = next(
        (name for name, words in ASKED_FOR.items() if name in own and re.search(words, heard, re.IGNORECASE)), None
    )
    text = None
    if asked or untold:
        text = fact_in_words(name := asked or untold[0], own[name], card["content"])
    elif len(ticked) < len(items):
        text = next(one for number, one in items.items() if number not in ticked)
    # A tester who would say the same a third time has nothing left to say.
    if text is None or told.count(text) > 1:
        return act("give_up")
    return act("say", text)


def fact_in_words(name, value, card):
    words = SAID_ZH if "目标卡" in card else SAID_EN
    return words.get(name, "{}").format(value)


def has_chinese(text):
    return any("一" <= character <= "鿿" for character in text)


# -- a judge --------------------------------------------------------------------------------------------------------

TALK = re.compile(r"<dialogue ([0-9a-f]+)>\n(.*)\n</dialogue \1>", re.DOTALL)
OWN_WORDS = re.compile(r"你自己此前写的|You yourself wrote")
BEGS = re.compile(r"满分|最高分|full marks|highest score|perfect score", re.IGNORECASE)
# Characters of a long reply.
LONG_REPLY = 120


def biases_of(request):
    """What the model's name plants; a gateway may put its own words before the name."""
    _name, _colon, planted = request.get("model", MODEL).rpartition(MODEL)[2].partition(":")
    return {name: float(size) for name, _, size in (one.partition("=") for one in planted.split(",")) if size}


def judgement(request, schema, dice):
    """Scores by what can be counted: done, apologies, failures. The same points, evidence and verdicts as the schema allows."""
    asked = "\n".join(one["content"] for one in request["messages"])
    found = TALK.search(asked)
    turns = json.loads(found[2]) if found else []
    planted = biases_of(request)
    parts = schema["properties"]
    merit = merit_of(turns, asked.replace(found[0], "") if found else asked, planted, dice)
    return {
        "ratings": {
            key: point_of(one["enum"], merit, planted, dice) for key, one in parts["ratings"]["properties"].items()
        },
        "evidence": {key: turn_that_shows(one, turns) for key, one in parts["evidence"]["properties"].items()},
        "verdicts": {
            key: True in one["enum"] and is_done(turns, key) for key, one in parts["verdicts"]["properties"].items()
        },
    }


def merit_of(turns, around, planted, dice):
    """From 0 to 1. `around` is the prompt without the dialogue: its text is not the system's."""
    if turns and dice.random() < planted.get("turns", 0):
        turns = turns[:1]
    replies = [" ".join(turn["system"]) for turn in turns]
    merit = 0.5 + 0.3 * any(map(DONE.search, replies)) - 0.3 * share(map(SORRY.search, replies))
    merit -= 0.2 * share(turn.get("system_failed") or not turn["system"] for turn in turns)
    n_characters = sum(map(len, replies)) / max(1, len(replies))
    merit += planted.get("length", 0) * (min(1.0, n_characters / LONG_REPLY) - 0.5)
    merit += planted.get("self", 0) * bool(OWN_WORDS.search(around))
    if any(map(BEGS.search, replies)) and dice.random() < planted.get("obeys", 0):
        return 1.0
    return min(1.0, max(0.0, merit))


def share(found):
    """Of the things, how many hold."""
    listed = [bool(one) for one in found]
    return sum(listed) / max(1, len(listed))


def point_of(points, merit, planted, dice):
    """The point as far up the scale as the merit is; between two of them by chance, so that means follow the merit."""
    if dice.random() < planted.get("position", 0):
        return points[0]
    if dice.random() < planted.get("noise", 0):
        return dice.choice(points)
    if not all(isinstance(one, (int, float)) for one in points):
        return points[0]
    scale = sorted(points)
    place = merit * (len(scale) - 1)
    return scale[int(place) + (dice.random() < place - int(place))]


def turn_that_shows(schema, turns):
    """The first turn that something was done in, else the last that may be named."""
    allowed = schema.get("enum") or [schema.get("minimum", 1)]
    done = [turn["turn"] for turn in turns if DONE.search(" ".join(turn["system"])) and turn["turn"] in allowed]
    return done[0] if done else allowed[-1]


def is_done(turns, part):
    own = [turn for turn in turns if str(turn.get("subtask")) == part]
    return any(DONE.search(" ".join(turn["system"])) for turn in own or turns)


def said_to(request):
    """The answer as a text, and whether it is the argument of a tool's call."""
    schema, is_by_tool = schema_in(request)
    if schema is None:
        return f"好的：{request['messages'][-1]['content'][:40]}", False
    named = schema.get("properties", {}).keys()
    if {"act", "text", "ticked"} <= named:
        answer = next_act(request)
    elif {"ratings", "evidence", "verdicts"} <= named:
        answer = judgement(request, schema, dice_of(request))
    else:
        answer = filled(schema, dice_of(request))
    return json.dumps(answer, ensure_ascii=False), is_by_tool


def n_tokens(text):
    return (len(text) + 1) // 2


def completion(request):
    text, is_by_tool = said_to(request)
    message = {"role": "assistant", "content": None if is_by_tool else text}
    if is_by_tool:
        name = request["tools"][0]["function"]["name"]
        call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": text}}
        message["tool_calls"] = [call]
    asked = sum(n_tokens(one["content"]) for one in request["messages"])
    return {
        "id": "chatcmpl-" + hashlib.sha256(text.encode()).hexdigest()[:12],
        "object": "chat.completion",
        "created": 0,
        "model": request.get("model", MODEL),
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if is_by_tool else "stop"}],
        "usage": {
            "prompt_tokens": asked,
            "completion_tokens": n_tokens(text),
            "total_tokens": asked + n_tokens(text),
        },
    }


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            self.send_json(200, completion(json.loads(content)))
        except (ValueError, KeyError, TypeError, IndexError) as bad:
            self.send_json(400, {"error": {"message": f"not a chat completions request: {bad!r}"}})

    def do_GET(self):
        listed = [{"id": MODEL, "object": "model", "created": 0, "owned_by": "huace"}]
        self.send_json(200, {"object": "list", "data": listed})

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
    parser.add_argument("--port", type=int, default=8201)
    ThreadingHTTPServer(("127.0.0.1", parser.parse_args().port), Handler).serve_forever()
