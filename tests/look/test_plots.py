"""Marks as SVG, on pages and in files, as PDF and PNG; names in lines."""

from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest

from look import plot_files
from look.plots import Box, Line, Plot, Word, cell_on, drawn, placed_rows, shade_of, svg_file, wrapped

PLOT = Plot(
    40,
    (
        Line("axis", 0, 10, 400, 10),
        Line("axis", 5, 5, 5, 10),
        Line("mark is-chosen", 20, 4, 20, 16),
        Box("shade-2", 1, 20, 30, 10, "A & B: 3"),
        Word("name", 0, 30, "<b>"),
        Word("cell", 200, 30, "50", "middle"),
    ),
)


def test_names_are_broken_into_lines_that_fit_and_nothing_is_lost():
    assert wrapped("深思考人工智能机器人科技(北京)有限公司", 23) == ["深思考人工智能机器人科", "技(北京)有限公司"]
    assert wrapped("Team Alpha of Somewhere", 12) == ["Team Alpha", "of Somewhere"]
    assert wrapped("abcdefghij", 4) == ["abcd", "efgh", "ij"]
    assert wrapped("", 4) == [""]


def test_rows_are_as_high_as_their_names():
    one, two = placed_rows(["a", "一二三四五六七八九十一二三四五"], top=30)
    assert (one.top, one.middle, one.bottom, two.bottom - two.top) == (30, 41, 52, 34)
    assert [word.text for word in two.words()] == ["一二三四五六七八九十一", "二三四五"]


def test_on_a_page_lines_of_one_kind_are_one_path_and_texts_are_escaped():
    assert drawn(PLOT) == (
        '<rect class="shade-2" x="1" y="20" width="30" height="10"><title>A &amp; B: 3</title></rect>'
        '<path class="axis" d="M0 10L400 10M5 5L5 10"/><path class="mark is-chosen" d="M20 4L20 16"/>'
        '<text class="name" x="0" y="30">&lt;b&gt;</text><text class="cell" x="200" y="30" text-anchor="middle">50</text>'
    )


def test_a_file_of_its_own_is_as_wide_as_a_column_and_says_where_it_is_from():
    root = ElementTree.fromstring(svg_file(PLOT, title="A & B", about="cited <so>"))
    name = "{http://www.w3.org/2000/svg}"
    assert root.attrib["width"] == "3.3in"
    assert (root.find(f"{name}title").text, root.find(f"{name}desc").text) == ("A & B", "cited <so>")
    assert [one.text for one in root.iter(f"{name}text")] == ["<b>", "50"]
    assert "class" not in {attribute for one in root.iter() for attribute in one.attrib}


def test_shades_grow_with_the_share_and_only_the_darkest_carries_white():
    assert [shade_of(share) for share in (0, 0.01, 0.3, 0.6, 1)] == [0, 1, 1, 2, 4]
    assert [cell_on(shade) for shade in (0, 3, 4)] == ["cell", "cell", "on-dark"]


@pytest.mark.skipif(
    not any(Path(path).exists() for path, _number in (*plot_files.LATIN, *plot_files.CHINESE)),
    reason="no font is there",
)
def test_a_pdf_is_one_page_of_that_size_and_a_png_its_picture_at_300_dpi():
    from PIL import Image
    from pypdfium2 import PdfDocument

    made = plot_files.file_of(PLOT, "pdf", title="T", about="cited")
    document = PdfDocument(made)
    width, _height = document[0].get_size()
    assert (len(document), round(width, 1)) == (1, 237.6)
    assert document.get_metadata_dict()["Subject"] == "cited"
    picture = Image.open(BytesIO(plot_files.file_of(PLOT, "png", title="T", about="")))
    assert picture.size[0] == pytest.approx(990, abs=1)


def test_without_a_font_that_has_the_letters_only_svg_is_made(monkeypatch):
    monkeypatch.setattr(plot_files, "CHINESE", ())
    chinese = Plot(40, (Word("name", 0, 30, "山西大学"),))
    with pytest.raises(plot_files.NoFont):
        plot_files.file_of(chinese, "pdf", title="", about="")
    assert "山西大学" in plot_files.file_of(chinese, "svg", title="", about="").decode()
