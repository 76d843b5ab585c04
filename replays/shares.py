"""How many of a system's places replays may take while people talk to it. Pure."""

# Of the turns that a system is asked at a time, replays have at most one in so many.
PART = 4


def places_for_replays(parallel: int, n_people: int) -> int:
    """The number of replays that may ask the system now, given how many dialogues of people go on with it.

    A person never waits for a replay: each of their dialogues keeps a place free, as it has one turn in flight at most. A system that is
    asked one turn at a time is replayed while nobody talks to it.
    """
    return max(0, min(max(1, parallel // PART), parallel - n_people))
