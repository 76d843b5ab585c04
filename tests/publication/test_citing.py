"""A citation names what is cited: title, number, dates, address and digest."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from publication.citing import citation_of

DOCUMENT = {"campaign": "smp2018", "number": 2, "frozen_at": "2026-11-20T08:00:00Z"}
ADDRESS = "https://huace.example/campaigns/smp2018/leaderboard/2/"


def cited(name="SMP2018-ECDT", public_from=datetime(2026, 11, 22, 9, tzinfo=UTC)):
    return cited_in("UTC", name, public_from)


def cited_in(zone, name="SMP2018-ECDT", public_from=datetime(2026, 11, 22, 17, tzinfo=UTC)):
    return citation_of(
        DOCUMENT, name=name, public_from=public_from, zone=ZoneInfo(zone), address=ADDRESS, digest="ab12"
    )


def test_a_citation_is_a_line_and_a_bibtex_entry():
    citation = cited()
    assert citation.text == (
        f"SMP2018-ECDT, leaderboard 2, frozen 2026-11-20, published 2026-11-22. {ADDRESS} (SHA-256 ab12)"
    )
    assert citation.bibtex.splitlines() == [
        "@misc{smp2018-leaderboard-2,",
        "  title = {SMP2018-ECDT, leaderboard 2},",
        "  year = {2026},",
        "  note = {Frozen 2026-11-20, published 2026-11-22. SHA-256 ab12},",
        f"  howpublished = {{\\url{{{ADDRESS}}}}},",
        "}",
    ]


def test_signs_that_tex_takes_for_its_own_are_escaped():
    assert "  title = {A \\& B 100\\% \\{x\\}, leaderboard 2}," in cited("A & B 100% {x}\\").bibtex


def test_what_is_not_published_yet_is_cited_by_the_day_it_was_frozen():
    assert "published 2026-11-20" in cited(public_from=None).text


def test_its_days_are_those_of_the_campaigns_time_zone():
    assert "frozen 2026-11-20, published 2026-11-23." in cited_in("Asia/Shanghai").text
    assert "frozen 2026-11-19, published 2026-11-22." in cited_in("Pacific/Honolulu").text
