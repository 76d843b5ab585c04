#!/usr/bin/env python3
"""A recipe assistant in English that speaks huace/1, in one of three manners. One file, standard library only.

    python recipe_bot.py --manner plain --port 8111

plain names a dish and its steps; chatty says the same with many words; hasty takes the first dish that holds an ingredient
and forgets what must not be in it. It keeps no state: every request carries the history.
"""

import argparse
import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

RECIPES = (
    ("tomato omelette", 10, ("eggs", "tomatoes", "butter"), "Beat the eggs, soften the tomatoes in butter, fold."),
    ("chickpea stew", 25, ("chickpeas", "tomatoes", "onions"), "Fry the onions, add the rest, simmer for 20 minutes."),
    ("fried rice", 15, ("rice", "eggs", "onions"), "Fry the onions, then cold rice, push aside and scramble the eggs."),
    ("mushroom risotto", 35, ("rice", "mushrooms", "butter"), "Toast the rice in butter, add stock ladle by ladle."),
    ("lentil soup", 30, ("lentils", "carrots", "onions"), "Soften the vegetables, add lentils and water, simmer."),
    ("mushrooms on toast", 10, ("mushrooms", "bread", "butter"), "Fry the mushrooms hot, heap them on buttered toast."),
    ("bean salad", 10, ("beans", "tomatoes", "onions"), "Slice the onions thin, mix with beans and tomatoes, dress."),
)
SWAPS = {"butter": "olive oil", "eggs": "firm tofu", "rice": "bulgur", "onions": "leeks", "bread": "baked potatoes"}
INGREDIENTS = sorted({one for _, _, needed, _ in RECIPES for one in needed})
MANNERS = ("plain", "chatty", "hasty")
REFUSED = re.compile(r"\b(?:no|without|not|allergic to|free of)\b((?:\W+\w+){0,3})", re.IGNORECASE)


def names(word: str, text: str) -> bool:
    """Whether the text names an ingredient, one of it or several."""
    one = word.removesuffix("es") if word.endswith("oes") else word.removesuffix("s")
    return re.search(rf"\b{one}(?:e?s)?\b", text, re.IGNORECASE) is not None


def wishes(said: list[str], forgets: bool) -> tuple[set[str], set[str], int]:
    """What is there, what must not be in it, and how many minutes there are."""
    text = " . ".join(said)
    refused = {one for one in INGREDIENTS for found in REFUSED.findall(text) if names(one, found)}
    there = {one for one in INGREDIENTS if names(one, text)} - refused
    minutes = [int(number) for number in re.findall(r"(\d+)\s*min", text)]
    return there, set() if forgets else refused, minutes[-1] if minutes and not forgets else 60


def dish_for(said: list[str], manner: str) -> tuple[str, int, tuple[str, ...], str] | None:
    there, refused, minutes = wishes(said, manner == "hasty")
    fits = [one for one in RECIPES if there & set(one[2]) and not refused & set(one[2]) and one[1] <= minutes]
    if manner == "hasty":
        return fits[0] if fits else None
    return max(fits, key=lambda one: (len(there & set(one[2])), -one[1]), default=None)


def answer(request: dict, manner: str) -> str:
    said = [line["text"] for line in request.get("history", []) if line["role"] == "user"] + [request["text"]]
    found = dish_for(said, manner)
    swap = next(
        (one for one in SWAPS if re.search(r"instead|replace|substitut", said[-1]) and names(one, said[-1])), ""
    )
    if swap:
        text = f"Use {SWAPS[swap]} instead of {swap}."
    elif found is None:
        text = "Which ingredients do you have, and what must not be in it?"
    else:
        name, minutes, needed, steps = found
        text = f"Make {name} ({minutes} minutes). You need {', '.join(needed)}. {steps}"
    if manner == "chatty":
        text = (
            f"What a lovely question, thank you so much for asking! {text} I do hope that this is what you were looking for; "
            "cooking is such a joy, and I am here for whatever else you may wish to know."
        )
    return text


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    manner = "plain"

    def do_POST(self):
        try:
            request = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            self.send(200, {"text": answer(request, self.manner)})
        except (ValueError, KeyError, TypeError, AttributeError) as bad:
            self.send(400, {"error": f"not a huace/1 request: {bad!r}"})

    def do_GET(self):
        self.send(200, {"protocol": "huace/1"})

    def send(self, status, body):
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args):
        pass


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--manner", choices=MANNERS, default="plain")
    parser.add_argument("--port", type=int, default=8111)
    asked = parser.parse_args()
    Handler.manner = asked.manner
    ThreadingHTTPServer(("127.0.0.1", asked.port), Handler).serve_forever()
