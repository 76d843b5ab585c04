"""A panel's votes become gold: from imported dialogues over stored reviews to the baselines that are scored on them."""

import io
import json

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import Person
from dialogues.models import Dialogue
from reviews.gold_files import gold_tasks, said
from reviews.models import Rating, Review
from tests.scoring.conftest import EXAMPLES

pytestmark = pytest.mark.django_db

EXAMPLE = EXAMPLES / "nugget-detection" / "gold.json"
LABELS = {"tester": ["CNUG0", "CNUG", "CNUG*", "CNaN"], "bot": ["HNUG", "HNUG*", "HNaN"]}
N_REVIEWERS = 3


@pytest.fixture
def ntcir(campaign):
    """A campaign that asks what NTCIR's annotators were asked, with the example's dialogues."""
    rubric = campaign.rubric
    rubric.asks_for_verdicts = False
    rubric.save()
    rubric.criteria.all().delete()
    for position, letter in enumerate("ASE", start=1):
        criterion = rubric.criteria.create(position=position, key=f"quality-{letter.lower()}", letter=letter)
        for score in range(-2, 3):
            criterion.points.create(score=score)
    nugget = rubric.criteria.create(position=4, key="nugget", letter="N", kind="label", scope="turn")
    pairs = [(speaker, label) for speaker, labels in LABELS.items() for label in labels]
    for score, (speaker, label) in enumerate(pairs):
        nugget.points.create(score=score, key=label, speaker=speaker)
    call_command(
        "import_dialogues", "small", str(EXAMPLE), format="ntcir", bot="helpdesk", team="Weibo", stderr=io.StringIO()
    )
    return campaign


@pytest.fixture
def example():
    """The example's dialogues with the votes of its first three annotators."""
    rows = json.loads(EXAMPLE.read_text())
    return [row | {"annotations": row["annotations"][:N_REVIEWERS]} for row in rows]


def annotate(campaign, reviewer, dialogue, annotation, **fields):
    """The annotation as a stored review of the reviewer."""
    review = Review.objects.create(
        dialogue=dialogue, reviewer=reviewer, is_submitted=True, submitted_at=timezone.now(),
        **{"part": "panel", "is_counted": True} | fields,
    )  # fmt: skip
    criteria = {criterion.letter: criterion for criterion in campaign.rubric.criteria.all()}
    numbers = {point.key: point.score for point in criteria["N"].points.all()}
    given = [(criteria[letter], "", score) for letter, score in annotation["quality"].items()]
    for (number, speaker, _), label in zip(said(dialogue), annotation["nugget"], strict=True):
        given.append((criteria["N"], f"@{number}.{speaker}", numbers[label]))
    Rating.objects.bulk_create(
        Rating(review=review, criterion=criterion, place=place, score=score, lowest=-2, highest=6)
        for criterion, place, score in given
    )
    return review


@pytest.fixture
def annotated(ntcir, example):
    people = [Person.objects.create_user(f"panel-{number}") for number in range(N_REVIEWERS)]
    dialogues = {dialogue.external_id: dialogue for dialogue in Dialogue.objects.all()}
    for row in example:
        for person, annotation in zip(people, row["annotations"], strict=True):
            annotate(ntcir, person, dialogues[row["id"]], annotation)
    return ntcir


def export(out, task):
    call_command("export", "small", "--what", "gold", "--task", task, "--out", str(out), stderr=io.StringIO())
    return out


def figures(task, gold, run):
    told = io.StringIO()
    call_command("score", task, "--gold", str(gold), "--run", str(run), "--format", "json", stdout=told)
    return json.loads(told.getvalue())


@pytest.mark.parametrize("task", ["dialogue-quality", "nugget-detection"])
def test_from_imported_dialogues_over_a_panel_to_a_scored_baseline(annotated, example, task, tmp_path):
    gold = export(tmp_path / "gold.json", task)
    assert json.loads(gold.read_text()) == example
    call_command("import_gold", "ntcir", str(gold), output=tmp_path / "read.json", stderr=io.StringIO())
    assert json.loads((tmp_path / "read.json").read_text()) == example
    (tmp_path / "example.json").write_text(json.dumps(example))
    for name in ("uniform", "popularity"):
        run = tmp_path / f"{name}.json"
        call_command("baseline", task, name, gold=gold, output=run)
        assert figures(task, gold, run) == figures(task, tmp_path / "example.json", run)


def test_only_reviews_of_the_panel_that_count_and_say_all_vote(annotated, tmp_path):
    dialogue = Dialogue.objects.get(external_id="d1")
    other = {"quality": {"A": -2, "S": -2, "E": -2}, "nugget": ["CNaN", "HNaN", "CNaN", "HNaN"]}
    for name, fields in (
        ("away", {"is_counted": False}),
        ("own", {"part": "self"}),
        ("judge", {"part": "adjudication"}),
    ):
        annotate(annotated, Person.objects.create_user(name), dialogue, other, **fields)
    half = annotate(annotated, Person.objects.create_user("half"), dialogue, other)
    half.ratings.filter(place="@2.bot").delete()
    first, *_ = json.loads(export(tmp_path / "gold.json", "nugget-detection").read_text())
    assert len(first["annotations"]) == N_REVIEWERS
    # What it says of the quality is whole, so there it votes, without nuggets.
    first, *_ = json.loads(export(tmp_path / "gold.json", "dialogue-quality").read_text())
    assert first["annotations"][N_REVIEWERS:] == [{"quality": other["quality"]}]


def test_a_live_dialogue_goes_by_its_id_and_one_without_votes_is_left_out(annotated, tmp_path):
    Dialogue.objects.filter(external_id="d1").update(external_id="")
    Review.objects.filter(dialogue__external_id="d2").update(is_counted=False)
    rows = json.loads(export(tmp_path / "gold.json", "dialogue-quality").read_text())
    assert len(rows) == 5
    assert rows[0]["id"] == str(Dialogue.objects.get(external_id="").pk)


def test_a_rubric_that_asks_other_things_gives_no_gold(campaign, tmp_path):
    assert gold_tasks(campaign) == []
    with pytest.raises(CommandError, match="does not ask what dialogue-quality needs"):
        export(tmp_path / "gold.json", "dialogue-quality")
    with pytest.raises(CommandError, match="--what gold needs --task"):
        export(tmp_path / "gold.json", "")


def test_gold_without_a_vote_is_an_error_in_words(ntcir, tmp_path):
    with pytest.raises(CommandError, match="No review of small that counts"):
        export(tmp_path / "gold.json", "nugget-detection")


def test_an_organizer_downloads_gold_where_the_rubric_gives_it(annotated, organizer, tester, client, example):
    client.force_login(organizer)
    assert "gold-nugget-detection.json" in client.get("/campaigns/small/organize/").content.decode()
    answer = client.get("/campaigns/small/export/gold-nugget-detection.json")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="small-gold-nugget-detection.json"'
    assert answer.json() == example
    assert client.get("/campaigns/small/export/gold-nothing.json").status_code == 404
    client.force_login(tester)
    assert client.get("/campaigns/small/export/gold-nugget-detection.json").status_code == 404
