import json
from datetime import datetime

import pytest
from django.utils.translation import override

from audit.chain import Line, hash_of
from audit.models import TrailLine
from organizing.trail_page import because_of, details_of, pieces_of
from registration.actions.inviting import BY_INVITATION

pytestmark = pytest.mark.django_db


def test_details_are_texts_one_by_one(lines):
    assert details_of(lines[2]) == [("changes", ["a 1 → 2", "b 3 → 4"]), ("n", ["2"])]


def test_a_reason_of_the_platform_is_in_the_readers_language_and_a_persons_as_written():
    with override("zh-hans"):
        assert because_of(TrailLine(because=BY_INVITATION)) == "角色由邀请给予。"
        assert because_of(TrailLine(because="Today")) == "Today"


def test_a_line_of_the_file_holds_all_that_its_hash_is_made_of(lines):
    content = b"".join(pieces_of(TrailLine.objects.of_campaign("small").in_order(), "jsonl")).decode()
    for text in content.splitlines():
        row = json.loads(text)
        stored, previous = row.pop("hash"), row.pop("previous")
        salts, gone, _ = row.pop("salts"), row.pop("gone"), row.pop("erased_by")
        assert hash_of(Line(**row | {"at": datetime.fromisoformat(row["at"])}), previous, salts, gone) == stored


def test_a_reason_is_no_formula_in_a_spreadsheet(lines):
    content = b"".join(pieces_of(TrailLine.objects.filter(about="K70"), "csv")).decode()
    assert ",'=1+1," in content
