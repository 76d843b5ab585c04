"""What the history of a long dialogue adds to a turn, per protocol: encoding, and the body that is longer.

python -m bench.history
"""

import time

from participants.adapters import BotAddress, BotCall, History, Utterance, native, openai, rasa

SAID = ("帮我订一张明天上午从北京到上海的经济舱机票", "为您找到航班HC1001，08:30起飞，经济舱780元，确认预订吗？")
REQUESTS = {
    "huace/1": lambda call: native.request_of(call, 30.0),
    "openai": lambda call: openai.request_of(call, stream=True),
    "rasa": rasa.request_of,
}
N_TURNS, N_RUNS = 500, 300


def one_turn() -> list[Utterance]:
    return [Utterance("user", SAID[0]), Utterance("bot", SAID[1])]


def ms_of_a_turn(protocol: str, history: History) -> float:
    """Milliseconds to build the body of the next call and to remember what is said in it."""
    request_of = REQUESTS[protocol]
    request_of(BotCall(BotAddress(protocol, "http://b/"), "d", 1, SAID[0], "d:1", history))
    began = time.perf_counter()
    for _ in range(N_RUNS):
        request_of(BotCall(BotAddress(protocol, "http://b/"), "d", 1, SAID[0], "d:1", history))
        history.and_then(*one_turn())
    return 1000 * (time.perf_counter() - began) / N_RUNS


def main() -> None:
    long = History(said for _ in range(N_TURNS) for said in one_turn())
    for protocol in REQUESTS:
        added = ms_of_a_turn(protocol, long) - ms_of_a_turn(protocol, History())
        print(f"{protocol:<10} {N_TURNS} turns of history add {added:.3f} ms to a turn")


if __name__ == "__main__":
    main()
