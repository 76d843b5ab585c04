"""A ConvLab agent as `human_eval/run_agent.py` deploys it: one for all, which takes on the state that comes with each request."""

from contextlib import contextmanager

from tests.fakes.posted import posted_bot


class Agent:
    def __init__(self):
        self.state = None

    def init_session(self):
        self.state = {"belief_state": {}, "history": []}

    def response(self, words):
        self.state["history"].append(words)
        self.state["belief_state"]["n"] = len(self.state["history"])
        return "" if words == "nothing" else f"{len(self.state['history'])} / {' / '.join(self.state['history'])}"


@contextmanager
def convlab_bot():
    agent = Agent()

    def answer_to(path, body):
        if body["agent_state"] == {}:
            agent.init_session()
        else:
            agent.state = body["agent_state"]
        return {"response": agent.response(body["input"]), "agent_state": agent.state}

    with posted_bot(answer_to) as bot:
        yield bot
