"""What the bench of simulations compares: the part beside it with the worse of the quiet parts."""

from bench.simulating import Parts, report


def test_the_worse_quiet_part_is_what_it_is_compared_with(capsys):
    parts = Parts([1.0] * 100, [1.015] * 100, [0.9] * 100, 0, "20 dialogues")
    assert round(parts.added_ms) == 15
    assert report(parts) == 0
    assert report(Parts([1.0] * 100, [1.03] * 100, [1.0] * 100, 0)) == 1
    assert "30 ms above" in capsys.readouterr().out


def test_a_failed_turn_and_an_empty_part_are_told():
    assert Parts([1.0], [1.0], [1.0], 2).problems() == ["2 turns of people failed"]
    assert Parts([1.0], [], [1.0], 0).problems() == ["a part has no turn of people"]
