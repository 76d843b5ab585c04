"""The colours of tokens.css against each other, by the formula of WCAG 2.2."""

import re
from pathlib import Path

import pytest

TOKENS = Path(__file__).resolve().parents[2] / "static" / "look" / "tokens.css"
COLOURS = {
    name: (light, dark)
    for name, light, dark in re.findall(
        r"--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", TOKENS.read_text()
    )
}
GROUNDS = ("canvas", "surface", "sunken", "hover")
TINTS = ("tint", "ok-tint", "warn-tint", "bad-tint")

# Text that is read: at least 4.5. On every ground all three greys; on a tint the text and the state's own colour.
READ = [
    *((text, ground) for text in ("text", "text-2", "text-3", "accent", "ok", "warn", "bad") for ground in GROUNDS),
    *((text, tint) for text in ("text", "text-2") for tint in TINTS),
    ("text-3", "tint"), ("accent", "tint"), ("ok", "ok-tint"), ("warn", "warn-tint"), ("bad", "bad-tint"),
    ("on-accent", "accent"), ("on-accent", "accent-hover"), ("on-bad", "bad"),
]  # fmt: skip
# What carries meaning without being text: borders of fields, the tracks of the ruler. At least 3.
SEEN = [
    *(("field", ground) for ground in ("canvas", "surface", "hover")),
    *((tick, ground) for tick in ("accent", "ok", "warn", "bad", "text", "text-3") for ground in GROUNDS),
]


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_the_formula_gives_the_values_of_the_standard():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), READ)
def test_text_is_at_least_four_and_a_half_to_one(text, ground, theme):
    assert contrast(COLOURS[text][theme], COLOURS[ground][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("part", "ground"), SEEN)
def test_borders_of_fields_and_ticks_are_at_least_three_to_one(part, ground, theme):
    assert contrast(COLOURS[part][theme], COLOURS[ground][theme]) >= 3
