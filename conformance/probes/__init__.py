"""The probes in the order in which they are asked, and what is asked before them.

first_word.py     the first word in the protocol, stage by stage      disturbances.py   broken requests, given-up calls, streams
texts.py          rare characters, emoji, long and empty texts, pictures   load.py           times, alone and in parallel
memory.py         long dialogues, reset, isolation, history, repeats
"""

from conformance.probes import disturbances, load, memory, texts
from conformance.probes.first_word import STAGES
from conformance.probes.outcomes import Probe

# What is found out before the first word; see guessing.py.
PROTOCOL = "protocol"
WORDS = "words"
TIME = "time"
PROBES = (
    Probe("chinese", texts.chinese),
    Probe("emoji", texts.emoji),
    Probe("long_input", texts.long_input),
    Probe("empty_input", texts.empty_input),
    Probe("long_dialogue", memory.thirty_turns),
    Probe("reset", memory.reset),
    Probe("isolation", memory.isolation),
    Probe("memory", memory.memory),
    Probe("repeated_turn", memory.repeated_turn),
    Probe("streaming", disturbances.streaming),
    Probe("errors", disturbances.errors),
    Probe("latency", load.alone),
    Probe("parallel_some", load.some_parallel),
    Probe("parallel_declared", load.declared_parallel),
    Probe("parallel_apart", load.apart_under_load),
    Probe("cancelled_call", disturbances.cancelled_call),
    Probe("pictures", texts.pictures),
)
NAMES = (PROTOCOL, *STAGES, WORDS, *(probe.name for probe in PROBES))
