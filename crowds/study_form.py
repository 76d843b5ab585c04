"""The form of a study as its organizer types it, and the same from a program: one table reads both."""

from collections.abc import Mapping
from typing import Any

from campaigns.campaign_file.study_specs import StudySpec, study_document
from crowds.models import CrowdStudy
from crowds.platforms import Outcome
from reading.checking import BadForm, Problems
from reading.digits import whole_or_text
from reading.kinds import Text
from reading.tables import Field, Table, table_of

CODE_LIMIT = 100
SPEC = table_of(StudySpec)
CODES = Table({outcome.value: Field(Text(CODE_LIMIT, may_be_empty=True), "") for outcome in Outcome})
# Of the API: the study, and codes that are stored in place of those before.
BODY = Table({**SPEC.fields, "codes": Field(CODES, None)})

TEXTS = (
    "key",
    "role",
    "platform",
    "currency",
    "participant_parameter",
    "study_parameter",
    "session_parameter",
    "return_url",
)
AMOUNTS = ("pay", "bonus", "screened_out_pay")
NUMBERS = ("quota", "needed", "minutes", "at_once", "minutes_at_most", "screening_percent", "attention_wrong_at_most")
BOTH = ("name", "welcome")
# Between the two languages of a text, and between the answers of a question.
LANGUAGES_APART, ANSWERS_APART = "//", "|"


def typed_in(sent: Mapping[str, str]) -> dict[str, str]:
    """The fields as they were typed, to be shown again."""
    names = [*TEXTS, *AMOUNTS, *NUMBERS, *(f"{name}_{language}" for name in BOTH for language in ("zh", "en"))]
    return {name: sent.get(name, "").replace("\r\n", "\n").strip() for name in [*names, "attention", "excludes"]}


def spec_of_form(typed: Mapping[str, str]) -> StudySpec:
    """Errors: `BadForm`, with the names of fields as places."""
    table: dict[str, Any] = {name: typed[name] for name in (*TEXTS, *AMOUNTS) if typed[name]}
    table |= {name: whole_or_text(typed[name]) for name in NUMBERS if typed[name]}
    table |= {name: {"zh": typed[f"{name}_zh"], "en": typed[f"{name}_en"]} for name in BOTH}
    table["excludes"] = typed["excludes"].replace(",", " ").replace("，", " ").split()
    table["attention"] = [_item(line) for line in typed["attention"].splitlines() if line.strip()]
    problems = Problems()
    spec: StudySpec = SPEC.read(table, "", "", problems)
    problems.refuse(BadForm)
    return spec


def _item(line: str) -> dict[str, Any]:
    question, *answers = [_texts(part) for part in line.split(ANSWERS_APART)]
    return {"question": question, "right": answers[0] if answers else "", "wrong": answers[1:]}


def _texts(part: str) -> str | dict[str, str]:
    zh, apart, en = part.partition(LANGUAGES_APART)
    return {"zh": zh.strip(), "en": en.strip()} if apart else part.strip()


def codes_of_form(sent: Mapping[str, str]) -> dict[str, str]:
    """The codes that were typed, by outcome. Errors: `BadForm`."""
    problems = Problems()
    table = {outcome.value: sent.get(f"code_{outcome.value}", "").strip() for outcome in Outcome}
    read: dict[str, str] | None = CODES.read(table, "", "", problems)
    problems.refuse(BadForm)
    return read or {}


def shown_study(study: CrowdStudy) -> dict[str, str]:
    """The stored study as its form shows it."""
    document = study_document(study)
    shown = {name: str(document.get(name, "")) for name in (*TEXTS, *AMOUNTS, *NUMBERS)}
    for name in BOTH:
        shown |= {f"{name}_{language}": document.get(name, {}).get(language, "") for language in ("zh", "en")}
    shown["excludes"] = " ".join(study.excludes)
    shown["attention"] = "\n".join(map(_line, study.attention))
    return shown


def _line(item: Mapping[str, Any]) -> str:
    return f" {ANSWERS_APART} ".join(map(_said, (item["question"], item["right"], *item["wrong"])))


def _said(texts: Mapping[str, str]) -> str:
    zh, en = texts["zh"], texts["en"]
    return zh if zh == en else f"{zh} {LANGUAGES_APART} {en}"
