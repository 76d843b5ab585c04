"""What can be done in simulations: programs are added, stopped and given dialogues; what a model takes is noted; rehearsals: `rehearsing`."""

from simulation.actions.programs import (
    Drawing,
    Manner,
    NameTaken,
    NotAProgram,
    NothingToMeet,
    add_program,
    give_dialogues,
    note_begun,
    note_call,
    stop_program,
)

__all__ = [
    "Drawing",
    "Manner",
    "NameTaken",
    "NotAProgram",
    "NothingToMeet",
    "add_program",
    "give_dialogues",
    "note_begun",
    "note_call",
    "stop_program",
]
