"""Pages and API of judges: declared, compared, shown in words of both languages."""

import pytest

from judging.models import Judge, JudgeReport
from tests.judging.conftest import Script, endpoint_of, judge_of, judged
from tests.reviews.conftest import closed_dialogues

pytestmark = pytest.mark.django_db(transaction=True)
TYPED = {
    "key": "scribe",
    "model": "scripted",
    "language": "en",
    "n_samples": "2",
    "temperature": "0.5",
    "share": "50",
    "seed": "1",
}


@pytest.fixture
def page(client, organizer):
    client.force_login(organizer)
    return client


def test_without_a_model_the_page_leads_to_where_one_is_declared(page):
    assert b"/campaigns/small/models/" in page.get("/campaigns/small/judges/").content


def test_a_judge_is_declared_by_the_form(campaign, page):
    endpoint_of(campaign)
    answer = page.post("/campaigns/small/judges/", TYPED)
    judge = Judge.objects.get()
    assert answer.headers["Location"] == f"/campaigns/small/judges/{judge.pk}/"
    assert (judge.n_samples, judge.temperature, judge.share, judge.seed) == (2, 0.5, 50, 1)
    assert b"scribe v1" in page.get("/campaigns/small/judges/").content


@pytest.mark.parametrize(
    "wrong", [{"key": "no key"}, {"n_samples": "0"}, {"n_samples": "x"}, {"temperature": "9"}, {"language": "fr"}]
)
def test_a_wrong_field_is_named_and_what_was_typed_stays(campaign, page, wrong):
    endpoint_of(campaign)
    answer = page.post("/campaigns/small/judges/", TYPED | wrong)
    assert (answer.status_code, answer.content.count(b'aria-invalid="true"') <= 1) == (422, True)
    assert not Judge.objects.exists()


def test_a_model_that_is_unknown_is_refused(page):
    assert page.post("/campaigns/small/judges/", TYPED).status_code == 409


def test_the_page_says_what_the_report_holds(campaign, tester, page):
    closed_dialogues(campaign, tester, 3)
    judge = judge_of(campaign)
    address = f"/campaigns/small/judges/{judge.pk}/"

    def offers():
        shown = page.get(address).content.decode()
        return ["manage.py judge small --judge scribe" in shown, f'action="{address}compare/"' in shown]

    assert offers() == [True, False]
    judged(judge, Script())
    assert offers() == [False, True]
    assert page.post(f"{address}compare/").headers["Location"] == address
    shown = page.get(address).content.decode()
    assert JudgeReport.objects.get().content["criteria"]["satisfaction"]["n_scored"] == 3
    assert "Spearman" in shown
    answer = page.get(f"/api/v1{address}").json()
    assert answer["report"]["judged"]["done"] == 3
    assert answer["judge"]["prompt_digest"] == judge.prompt_digest


def test_nobody_but_an_organizer_sees_judges(campaign, client, tester, reviewer, judge):
    for person in (tester, reviewer):
        client.force_login(person)
        for address in ("judges/", f"judges/{judge.pk}/"):
            assert client.get(f"/campaigns/small/{address}").status_code == 404
