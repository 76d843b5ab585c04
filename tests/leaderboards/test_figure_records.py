"""The page behind a figure lists every record of it, and the mean of what it lists is the figure."""

import pytest
from django.core.management import call_command
from django.utils import timezone

from campaigns.models import Campaign, Role
from dialogues.models import Dialogue, Turn
from leaderboards import records
from leaderboards.actions import refresh_leaderboard
from leaderboards.live_board import computed_rows, failures_by_entry, stored_board
from leaderboards.records import FigureRecords
from leaderboards.views import DIALOGUES_PER_PAGE
from reviews.models import Review
from tests.conftest import PUBLISHED
from tests.leaderboards.played import played
from tests.publication.conftest import add_records, record

pytestmark = pytest.mark.django_db


@pytest.fixture
def paper(db):
    call_command("import_records", str(PUBLISHED / "smp2018" / "records.jsonl"), campaign="paper", verbosity=0)
    call_command("leaderboard", "paper")
    return Campaign.objects.get(slug="paper")


def test_the_mean_of_the_listed_records_is_the_figure(paper):
    for entry in paper.entries.all()[:3]:
        figures = stored_board(paper).rows[str(entry.pk)]["figures"]
        for figure, value in figures.items():
            records = FigureRecords(paper, entry, figure)
            listed = [one.value for start in range(0, len(records), 25) for one in records[start : start + 25]]
            assert len(listed) == 63
            assert sum(listed) / 63 == pytest.approx(value)


def test_a_page_shows_some_and_leads_to_the_next(paper, client, django_user_model, django_assert_max_num_queries):
    person = django_user_model.objects.create_user("organizer")
    paper.roles.create(person=person, role=Role.ORGANIZER)
    client.force_login(person)
    client.get("/about/")  # notes the login
    entry = paper.entries.earliest("pk")
    with django_assert_max_num_queries(20):
        page = client.get(f"/campaigns/paper/leaderboard/records/{entry.pk}/completion/?page=2").content.decode()
    assert page.split("<tbody>")[1].count("<tr>") == DIALOGUES_PER_PAGE
    assert "?page=3" in page
    assert client.get(f"/campaigns/paper/leaderboard/records/{entry.pk}/no-such-figure/").status_code == 404


@pytest.mark.parametrize(
    ("figure", "said"),
    [
        ("completion", "The figure is the mean over 3 records."),
        ("satisfaction", "The figure is the mean over 2 of 3 records: the others have no such score."),
        ("fluency", "The figure is the mean over 1 of 3 records: the others have no such score."),
        ("guidance", "No record has this score yet."),
    ],
)
def test_it_says_over_how_many_records_a_figure_is_the_mean(campaign, client, organizer, figure, said):
    scores = [{"satisfaction": 2, "fluency": 1}, {"satisfaction": 1, "fluency": None}, {}]
    told = [record("Team Alpha", number, True, 2) | {"ratings": given} for number, given in enumerate(scores)]
    add_records(campaign, *told)
    refresh_leaderboard(campaign=campaign, at=timezone.now())
    client.force_login(organizer)
    entry = campaign.entries.get(has_imported_records=True)
    address = f"/campaigns/small/leaderboard/records/{entry.pk}/{figure}/"
    assert said in " ".join(client.get(address, headers={"accept-language": "en"}).content.decode().split())


def test_the_records_of_dialogues_here_are_listed_with_their_dialogues():
    campaign = played("smp2018")
    rows = computed_rows(campaign)
    assert rows
    for entry in campaign.entries.filter(pk__in=rows):
        records = FigureRecords(campaign, entry, "mean_turns")[0:1000]
        stored = rows[str(entry.pk)]
        assert len(records) == stored["n"]
        weighed = sum(one.value * one.record.weight for one in records) / stored["weight"]
        assert float(weighed) == pytest.approx(stored["figures"]["mean_turns"])
        assert all(one.dialogue for one in records)


def test_a_board_says_how_many_turns_a_bot_left_unanswered():
    """By hand: with each bot one dialogue ends after its second turn failed for good, and a void one counts nowhere."""
    campaign = played("smp2018")
    for entry in campaign.entries.all():
        turns = Turn.objects.filter(dialogue__assignment__entry=entry, number__gt=0)
        closed = turns.filter(dialogue__status__in=["completed", "unfinished"])
        assert failures_by_entry(campaign)[entry.pk] == (1, closed.count())


def test_what_is_handed_in_while_records_are_read_is_in_none_of_them(monkeypatch):
    """A review that counts only after the list was read: its verdicts and scores would be missing."""
    campaign = played("smp2018")
    hidden = Review.objects.filter(is_counted=True).order_by("pk").first()
    Review.objects.filter(pk=hidden.pk).update(is_counted=False)
    usual = records.weights_of

    def counted_meanwhile(counted):
        Review.objects.filter(pk=hidden.pk).update(is_counted=True)
        return usual(counted)

    in_all = Dialogue.objects.of_campaign(campaign)
    before = len(list(records.counted_lines(campaign, in_all)))
    monkeypatch.setattr(records, "weights_of", counted_meanwhile)
    assert len(list(records.counted_lines(campaign, in_all))) == before > 0
