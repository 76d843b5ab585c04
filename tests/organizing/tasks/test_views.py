"""Automatic tasks in the browser: the table, the form with its gold, splits, quotas, and taking a task out."""

import html
import io
import re
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from accounts.models import Person
from audit.models import TrailLine
from automatic_tasks.actions import score_baselines
from automatic_tasks.models import AutomaticTask
from scoring.task_types import TASK_TYPES
from tests.automatic_tasks.conftest import TASKS, content_of
from tests.automatic_tasks.test_loading import load

pytestmark = pytest.mark.django_db
PAGE = "/campaigns/small/task-setup/"
GOLD = "dialogue-quality/gold.json"
TYPED = {"key": "own", "name_zh": "质量", "open": "yes"}


@pytest.fixture
def organizing(campaign, organizer):
    Person.objects.update(language="en")
    client = Client()
    client.force_login(organizer)
    return client


@pytest.fixture
def quality(campaign):
    load(TASKS)
    return campaign.automatic_tasks.get(key="quality")


def file_of(path, name="gold.json"):
    return SimpleUploadedFile(name, content_of(path) if isinstance(path, str) else path)


def shown(client, address):
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


def hidden_in(page):
    """What the form of the preview would send."""
    fields = re.findall(r'<input type="hidden" name="([\w-]+)" value="([^"]*)"', page)
    return {name: html.unescape(value) for name, value in fields if name != "csrfmiddlewaretoken"}


def stored_as_shown(client, address, sent):
    """What a person does: sends the form, reads what would be stored, and says yes to exactly that."""
    preview = client.post(address, sent)
    assert preview.status_code == 200, preview.content.decode()
    return client.post(address, hidden_in(preview.content.decode()) | {"act": "store"})


def lines_after(n):
    return [(line.act, line.about, line.person) for line in TrailLine.objects.order_by("number")[n:]]


@pytest.mark.parametrize("type", TASK_TYPES)
def test_every_type_has_a_form_and_its_example_gold_makes_a_task(organizing, campaign, type):
    assert "is missing" not in shown(organizing, f"{PAGE}new/{type}/")
    example = organizing.get(f"{PAGE}example/{type}/")
    sent = TYPED | {"gold": file_of(example.content)}
    answer = stored_as_shown(organizing, f"{PAGE}new/{type}/", sent)
    assert answer.url == f"{PAGE}one/own/"
    made = campaign.automatic_tasks.get()
    assert (made.type, made.origin, made.is_open, made.board_is_open) == (type, "page", True, False)
    assert bytes(made.gold.content) == example.content
    assert made.quota_per_day == TASK_TYPES[type].quota.per_day


@pytest.mark.parametrize(("type", "share"), [("dialogue-quality", "0.5"), ("intent-classification", "0.0")])
def test_the_form_says_which_share_is_drawn_where_it_is_left_empty(organizing, type, share):
    page = shown(organizing, f"{PAGE}new/{type}/")
    (said,) = re.findall(r'name="development_share".*?<small>(.*?)</small>', page, re.DOTALL)
    assert f"Left empty: {share}." in said


def test_nothing_is_stored_before_the_preview_which_counts_and_shows_the_first_items(organizing, campaign):
    n = TrailLine.objects.count()
    page = organizing.post(f"{PAGE}new/dialogue-quality/", TYPED | {"gold": file_of(GOLD)}).content.decode()
    assert "6 items" in page
    assert "task own: added with 6 items" in page
    assert "&quot;d1&quot;" in page
    assert (campaign.automatic_tasks.count(), lines_after(n)) == (0, [])
    organizing.post(f"{PAGE}new/dialogue-quality/", hidden_in(page) | {"act": "store"})
    assert lines_after(n) == [("task.added", "own", "organizer")]


def test_a_preview_that_was_not_shown_stores_nothing(organizing, campaign):
    page = organizing.post(f"{PAGE}new/dialogue-quality/", TYPED | {"gold": file_of(GOLD)}).content.decode()
    sent = hidden_in(page) | {"act": "store"}
    for changed in ({"previewed": ""}, {"name_zh": "别的"}):
        answer = organizing.post(f"{PAGE}new/dialogue-quality/", sent | changed)
        assert "Something has changed in the meantime" in answer.content.decode()
    assert not campaign.automatic_tasks.exists()


def test_what_is_wrong_stands_beside_its_field_and_every_problem_of_the_gold_has_its_place(organizing, campaign):
    typed = TYPED | {
        "key": "not ok", "quota_per_day": "many", "development_share": "2", "option_missing": "maybe",
        "runs_from": "2030-01-02T00:00", "runs_until": "2030-01-01T00:00", "ranking_1": "luck",
    }  # fmt: skip
    answer = organizing.post(f"{PAGE}new/dialogue-quality/", typed | {"gold": file_of(GOLD)})
    page = answer.content.decode()
    assert answer.status_code == 422
    for said in (
        "must be letters, digits, - and _",
        "must be a whole number from 1 to 1000000, not &quot;many&quot;",
        "must be a number from 0 to 1, not 2",
        "--missing must be one of",
        "must be later than runs_from",
        "“luck” is not a figure",
    ):
        assert page.count(said) == 2, f"{said}: once in the list and once beside its field"
    assert 'value="many"' in page
    bad = organizing.post(f"{PAGE}new/dialogue-quality/", TYPED | {"gold": file_of("dialogue-quality/run.json")})
    assert "gold, [0].annotations" in bad.content.decode()
    assert "gold" in organizing.post(f"{PAGE}new/dialogue-quality/", TYPED).content.decode()
    assert not campaign.automatic_tasks.exists()


def test_files_beyond_the_limit_are_refused_and_not_read(organizing, campaign, settings):
    settings.UPLOAD_LIMIT_BYTES = 2000
    answer = organizing.post(f"{PAGE}new/dialogue-quality/", TYPED | {"gold": file_of(b"[" * 1001)})
    assert answer.status_code == 422
    assert "The files are larger than" in answer.content.decode()


def test_a_key_is_given_once(organizing, quality):
    answer = organizing.post(f"{PAGE}new/dialogue-quality/", TYPED | {"key": "quality", "gold": file_of(GOLD)})
    assert "is the key of another task" in answer.content.decode()


def test_gold_in_two_files_is_split_by_them(organizing, campaign):
    lines = content_of("response-generation/gold.jsonl").splitlines(keepends=True)
    sent = TYPED | {"gold": file_of(b"".join(lines[1:])), "development": file_of(lines[0])}
    stored_as_shown(organizing, f"{PAGE}new/response-generation/", sent)
    made = campaign.automatic_tasks.get()
    assert (made.n_items, len(made.development_ids)) == (len(lines), 1)
    assert made.development_ids[0] in lines[0].decode()
    answer = organizing.post(f"{PAGE}new/response-generation/", sent | {"key": "b", "gold": file_of(b"".join(lines)),
                                                                        "development": file_of(lines[0])})  # fmt: skip
    assert "is in both files (1 such items)" in answer.content.decode()


def test_what_may_still_change_is_stored_at_once_and_is_the_browsers_from_then_on(organizing, quality):
    n = TrailLine.objects.count()
    before = AutomaticTask.objects.get(pk=quality.pk).development_ids
    answer = organizing.post(
        f"{PAGE}one/quality/", {"name_en": "Q", "quota_per_day": "7", "runs_until": "2030-01-01T08:00"}
    )
    assert answer.status_code == 302
    changed = AutomaticTask.objects.get(pk=quality.pk)
    assert (changed.name_en, changed.name_zh, changed.quota_per_day) == ("Q", "对话质量", 7)
    assert (changed.development_ids, changed.origin) == (before, "page")
    assert changed.runs_until.isoformat() == "2030-01-01T00:00:00+00:00"
    assert lines_after(n) == [("task.edited", "quality", "organizer")]
    organizing.post(f"{PAGE}one/quality/", {"quota_per_day": "7"})
    assert len(lines_after(n)) == 1, "nothing new leaves no line"


def test_what_a_run_was_scored_by_cannot_be_changed_by_any_form(organizing, quality):
    score_baselines(task=quality, person=None, at=timezone.now())
    page = shown(organizing, f"{PAGE}one/quality/")
    assert 'name="development_share"' not in page
    assert 'name="option_missing"' not in page
    assert organizing.post(f"{PAGE}one/quality/", {"quota_per_day": "9"}).status_code == 302
    for sent in ({"option_missing": "count"}, {"development_share": "0.9"}):
        answer = organizing.post(f"{PAGE}one/quality/", sent)
        assert (answer.status_code, "runs were scored by it" in answer.content.decode()) == (422, True)
    other = content_of(GOLD).replace(b'"d1"', b'"d9"')
    assert organizing.post(f"{PAGE}one/quality/", {"gold": file_of(other)}).status_code == 422
    assert bytes(AutomaticTask.objects.get(pk=quality.pk).gold.content) == content_of(GOLD)


def test_a_browser_names_no_folder_of_the_platforms_machine(organizing, campaign):
    sent = TYPED | {"gold": file_of("response-generation/gold.jsonl"), "option_vectors": "/etc/passwd"}
    assert 'name="option_vectors"' not in shown(organizing, f"{PAGE}new/response-generation/")
    stored_as_shown(organizing, f"{PAGE}new/response-generation/", sent)
    assert campaign.automatic_tasks.get().options == {}
    campaign.automatic_tasks.update(options={"vectors": "/models/v.txt"})
    answer = organizing.post(f"{PAGE}one/own/", {"option_vectors": "/etc/passwd"})
    assert "only a task file on that machine may say it" in answer.content.decode()
    assert organizing.post(f"{PAGE}one/own/", {"quota_per_day": "3"}).status_code == 302
    assert campaign.automatic_tasks.get().options == {"vectors": "/models/v.txt"}


def test_a_task_is_removed_where_nothing_depends_on_it(organizing, quality, campaign):
    n = TrailLine.objects.count()
    score_baselines(task=quality, person=None, at=timezone.now())
    assert "<code>runs</code>" in shown(organizing, f"{PAGE}one/quality/")
    organizing.post(f"{PAGE}one/quality/remove/")
    assert campaign.automatic_tasks.filter(key="quality").exists()
    organizing.post(f"{PAGE}one/responses/remove/")
    assert not campaign.automatic_tasks.filter(key="responses").exists()
    assert lines_after(n)[-1] == ("task.removed", "responses", "organizer")


def test_a_team_has_a_quota_of_its_own_with_a_reason_until_it_is_taken_back(organizing, quality):
    address = f"{PAGE}one/quality/quotas/"
    wrong = organizing.post(address, {"team": "Team Alpha", "total": "lots", "reason": ""}).content.decode()
    assert "must be a whole number from 0" in wrong
    assert 'value="lots"' in wrong
    assert (
        organizing.post(address, {"team": "Team Alpha", "per_day": "9", "reason": "its runs were lost"}).status_code
        == 302
    )
    assert "its runs were lost" in shown(organizing, address)
    assert quality.team_quotas.get().per_day == 9
    organizing.post(address, {"team": "Team Alpha", "act": "take_back", "because": ""})
    assert quality.team_quotas.exists()
    organizing.post(address, {"team": "Team Alpha", "act": "take_back", "because": "over"})
    assert not quality.team_quotas.exists()


def test_the_table_leads_to_each_task_and_the_archive_holds_what_load_tasks_reads(organizing, quality):
    page = shown(organizing, PAGE)
    assert f'href="{PAGE}one/quality/"' in page
    assert "campaign file" in page
    first, second = (organizing.get(f"{PAGE}files/").content for _ in range(2))
    assert first == second
    assert zipfile.ZipFile(io.BytesIO(first)).read("quality-gold.json") == content_of(GOLD)
    assert TrailLine.objects.order_by("number").last().act == "tasks.downloaded"
