#!/usr/bin/env python3
"""A service for intent classification in the protocol of SMP2018-ECDT Task 1. One file, standard library only.

    python intent_service.py --port 21628

POST /smp2018_ecdt {"sentencesList": [{"id": 1, "content": "…"}]} is answered by {"resultsList": [{"id": 1, "result": "…"}]}:
the same ids in the same order. It guesses by keywords; put your classifier in the place of `label_of`.
"""

import argparse
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEYWORDS = (
    ("translation", ("翻译", "英文", "英语", "日语", "法语")),
    ("train", ("火车", "高铁", "动车", "列车")),
    ("flight", ("机票", "航班", "飞机", "飞")),
    ("weather", ("雨", "天气", "冷", "热", "多少度", "伞")),
    ("music", ("歌", "曲", "听")),
)


def label_of(sentence):
    return next((label for label, words in KEYWORDS if any(word in sentence for word in words)), "chat")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        try:
            request = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            results = [{"id": row["id"], "result": label_of(row["content"])} for row in request["sentencesList"]]
            self.send(200, {"resultsList": results})
        except (ValueError, KeyError, TypeError) as bad:
            self.send(400, {"error": repr(bad)})

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
    parser.add_argument("--port", type=int, default=21628)
    ThreadingHTTPServer(("127.0.0.1", parser.parse_args().port), Handler).serve_forever()
