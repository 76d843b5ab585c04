"""An agent as ConvLab's evaluation deploys them: one route for GET and POST, one worker that knows nothing but dialogues."""

import sys
from queue import Queue
from threading import Thread

from flask import Flask, jsonify, request

app, asked, answered = Flask(__name__), Queue(), Queue()


@app.route("/", methods=["GET", "POST"])
def turn():
    asked.put(request.json)
    return jsonify(answered.get())


def work():
    while True:
        turn = asked.get()
        n = turn["agent_state"].get("n", 0) + 1
        answered.put({"response": f"{turn['input']}，第 {n} 句", "agent_state": {"n": n}})


Thread(target=work, daemon=True).start()
app.run("127.0.0.1", int(sys.argv[1]))
