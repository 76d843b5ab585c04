#!/usr/bin/env python3
"""A "language model" that follows a script, behind an OpenAI-compatible chat completions endpoint.

    python scripted_model.py --port 8201

One file, standard library only. What it answers depends on the request alone (its messages, seed and model), so that a
test, a demo and a newcomer see the same. With a schema (response_format, a tool, or a schema written into the prompt) it
answers JSON that fits; without one, a sentence. It counts tokens as two characters each.
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


def said_to(request):
    """The answer as a text, and whether it is the argument of a tool's call."""
    schema, is_by_tool = schema_in(request)
    if schema is None:
        return f"好的：{request['messages'][-1]['content'][:40]}", False
    return json.dumps(filled(schema, dice_of(request)), ensure_ascii=False), is_by_tool


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
