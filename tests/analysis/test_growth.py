"""Nothing that a bundle holds costs more than its length."""

import json
import zipfile

import pytest

from analysis import frames
from analysis.columns import FRAMES
from tests.linear_time import assert_linear, assert_linear_memory
from tests.verification.tampering import rows_in
from verification.tables import parsed

GROWING = {
    "ratings": lambda n, row: row | {"reviewer": f"r{n}"},
    "turns": lambda n, row: row | {"turn": n, "text": "啊" * 20, "flags": [f"f{n}"]},
    "attempts": lambda n, row: row | {"request": n, "reply": ["a"] * 5},
    "assignments": lambda n, row: row | {"repetition": n, "tester": f"t{n}"},
}


@pytest.mark.parametrize("name", GROWING)
def test_time_and_memory_are_in_proportion_to_the_rows(files, tmp_path, name):
    file = FRAMES[name].file
    first = rows_in(files[file])[0]

    def bundle(size):
        path = tmp_path / f"{size}.zip"
        with zipfile.ZipFile(path, "w") as archive:
            for one, content in files.items():
                rows = (json.dumps(GROWING[name](n, first), ensure_ascii=False) for n in range(size))
                archive.writestr(one, content if one != file else "\n".join(rows) + "\n")
        return path

    assert_linear(frames, bundle, sizes=(5_000, 10_000, 20_000))
    assert_linear_memory(frames, bundle, sizes=(5_000, 10_000, 20_000))


def test_a_line_with_a_key_twice_is_found_in_one_pass():
    def refuse(text):
        with pytest.raises(ValueError, match="appears twice"):
            parsed(text)

    def twice_at_the_end(size):
        return ("{" + "".join(f'"k{n}":0,' for n in range(size)) + '"k0":1}').encode()

    assert_linear(refuse, twice_at_the_end, sizes=(10_000, 20_000, 40_000))
