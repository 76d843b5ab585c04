"""An example of each kind of table that scenarios are imported from."""

import csv
import io
import json

from django.http import Http404, HttpResponse

from leaderboards.table_files.text_files import blocks_of
from leaderboards.table_files.xlsx_files import xlsx_pieces
from organizing.scenarios.cells import COLUMNS, cells_of

EXAMPLES = [
    {
        "key": "case-01",
        "title": {"zh": "机票：北京→上海", "en": "Flight: Beijing → Shanghai"},
        "opening": "我想订后天北京飞上海的航班",
        "opening_en": "I want a flight from Beijing to Shanghai the day after tomorrow",
        "instructions": {"zh": "订后天下午的经济舱机票。", "en": "Book an economy flight in the afternoon."},
        "facts": {"flight": {"from": "北京", "to": "上海", "date": "后天", "time": "下午"}},
        "subtasks": [{"kind": "flight"}],
    },
    {
        "key": "case-02",
        "title": {"zh": "机票和酒店", "en": "Flight and hotel"},
        "opening": "帮我安排去成都的行程",
        "instructions": {"zh": "先订机票，再订酒店。", "en": "Book the flight first, then the hotel."},
        "items": ["靠窗", "含早餐"],
        "facts": {"flight": {"from": "北京", "to": "成都"}, "hotel": {"city": "成都", "nights": 2, "budget": 400}},
        "subtasks": [{"kind": "flight"}, {"kind": "hotel"}],
    },
]
MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
    "jsonl": "application/jsonl; charset=utf-8",
}


def example_of(format: str) -> bytes:
    match format:
        case "json":
            return json.dumps(EXAMPLES, ensure_ascii=False, indent=2).encode()
        case "jsonl":
            return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in EXAMPLES).encode()
    rows = [list(cells_of(one).values()) for one in EXAMPLES]
    if format == "xlsx":
        return b"".join(xlsx_pieces(COLUMNS, blocks_of(rows)))
    text = io.StringIO(newline="")
    csv.writer(text).writerows([COLUMNS, *rows])
    return text.getvalue().encode("utf-8-sig")


def example_download(format: str) -> HttpResponse:
    """Errors: `Http404` for a format that there is not."""
    if format not in MEDIA_TYPES:
        raise Http404
    headers = {"Content-Disposition": f'attachment; filename="scenarios.{format}"'}
    return HttpResponse(example_of(format), content_type=MEDIA_TYPES[format], headers=headers)
