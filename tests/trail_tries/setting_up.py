"""New campaigns, settings, scenarios: pages and the API."""

import re

from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import Person
from organizing.scenarios.examples import EXAMPLES, example_of
from tests.trail_tries.table import tries

SCENARIOS = "campaigns/<slug:slug>/scenarios/"
ONE = f"{SCENARIOS}one/<slug:scenario>/"
PLACE = "campaigns/small/scenarios/"
KEY = "flight-then-hotel"
TYPED = {
    "key": "own",
    "title_zh": "我的",
    "opening": "订机票",
    "part_kind": ["flight", "hotel"],
    "part_cap": ["4", "5"],
}
CHANGED = {"subtasks": [{"kind": "train", "turn_cap": 3}]}


def staff():
    Person.objects.filter(username="organizer").update(is_staff=True)


@tries("POST campaigns/new/", "campaign.created")
def _(stage):
    staff()
    return "", {"start": "msde", "slug": "fresh", "name_zh": "新活动"}


@tries("POST api/v1/campaigns/", "campaign.created")
def _(stage):
    staff()
    return "", {"preset": "smp2018", "slug": "fresh", "name_en": "New one"}


@tries("POST campaigns/<slug:slug>/settings/", "settings.changed")
def _(stage):
    return "", {"silence_limit_min": "90"}


@tries("PATCH api/v1/campaigns/<slug:slug>/settings/", "settings.changed")
def _(stage):
    return "", {"silence_limit_min": 90}


@tries("POST campaigns/<slug:slug>/description/", "description.changed")
def _(stage):
    return "", {"purpose_zh": "评测对话系统", "based_on": "0"}


@tries("PATCH api/v1/campaigns/<slug:slug>/description/", "description.changed")
def _(stage):
    return "", {"purpose": {"zh": "评测对话系统"}, "based_on": 0}


RUBRIC_TYPED = {
    "rubric_en": "Own", "criterion": ["0"], "key": ["ease"], "letter": ["E"], "name_en": ["Ease"], "kind": ["scale"],
    "scope": ["dialogue"], "better": ["higher"], "point_of": ["0", "0"], "point_name": ["0", "1"], "point_en": ["no", "yes"],
    "point_zh": ["", ""], "point_speaker": ["", ""],
}  # fmt: skip
RUBRIC_SAID = {
    "key": "own", "name": "Own",
    "criteria": [{"key": "ease", "letter": "E", "name": "Ease", "points": [{"score": 0, "label": "no"}, {"score": 1, "label": "yes"}]}],
}  # fmt: skip


@tries("POST campaigns/<slug:slug>/rubric/", "rubric.changed")
def _(stage):
    return "", RUBRIC_TYPED


@tries("PUT api/v1/campaigns/<slug:slug>/rubric/", "rubric.changed")
def _(stage):
    return "", {"rubric": RUBRIC_SAID}


@tries(f"POST {SCENARIOS}new/", "scenario.stored")
def _(stage):
    return "", TYPED


@tries(f"POST api/v1/{SCENARIOS}", "scenario.stored")
def _(stage):
    return "", EXAMPLES[0]


@tries(f"POST {ONE}", "scenario.stored")
def _(stage):
    return f"/{PLACE}one/{KEY}/", TYPED


@tries(f"PUT api/v1/{ONE}", "scenario.stored")
def _(stage):
    return f"/api/v1/{PLACE}one/{KEY}/", CHANGED


@tries(f"POST {ONE}remove/", "scenario.removed")
def _(stage):
    return f"/{PLACE}one/{KEY}/remove/", {}


@tries(f"DELETE api/v1/{ONE}", "scenario.removed")
def _(stage):
    return f"/api/v1/{PLACE}one/{KEY}/", {}


def table():
    return SimpleUploadedFile("cases.csv", example_of("csv"))


@tries(f"POST {SCENARIOS}import/", "scenarios.imported")
def _(stage):
    stage.client.force_login(stage.person("organizer"))
    shown = stage.client.post(f"/{PLACE}import/", {"file": table()}).content.decode()
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', shown)
    return "", dict(fields) | {"act": "import"}


@tries(f"POST api/v1/{SCENARIOS}import/", "scenarios.imported")
def _(stage):
    stage.client.force_login(stage.person("organizer"))
    seen = stage.client.post(f"/api/v1/{PLACE}import/", {"file": table()}).json()
    return "", {"file": table(), "previewed": seen["digest"]}


def asked_of_testers(stage):
    said = {"consent_en": "Your messages are published.", "written_at": stage.now}
    return stage.campaign.descriptions.create(version=1, **said).version


@tries("POST campaigns/<slug:slug>/testing/consent/", "consent.given", "tester")
def _(stage):
    return "", {"version": asked_of_testers(stage)}


@tries("POST api/v1/campaigns/<slug:slug>/consent/", "consent.given", "tester")
def _(stage):
    return "", {"version": asked_of_testers(stage)}
