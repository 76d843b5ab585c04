"""What is wrong with a service of labels, by name, and the probe that finds it. It shares no code with the platform."""

import json
from contextlib import contextmanager

from aiohttp import web

from tests.fakes.template_service import template_service

SECRET = "s3cret-of-the-service"


def error_page(sentences):
    return web.Response(status=500, text="<html>Internal Server Error</html>")


def redirect(sentences):
    return web.Response(status=307, headers={"Location": "http://127.0.0.1:1/"})


def gbk(sentences):
    rows = [{"id": row["id"], "result": "闲聊"} for row in sentences]
    return web.Response(body=json.dumps({"resultsList": rows}, ensure_ascii=False).encode("gbk"))


def dropped(sentences):
    return labels(sentences)[1:]


def repeated(sentences):
    return [*labels(sentences), *labels(sentences)[:1]]


def foreign_ids(sentences):
    return [{"id": 1000 + row["id"], "result": "chat"} for row in sentences]


def numbers(sentences):
    return [{"id": row["id"], "result": 7} for row in sentences]


def other_shape(sentences):
    return {"labels": [row["id"] for row in sentences]}


def no_large_batch(sentences):
    return error_page(sentences) if len(sentences) > 20 else None


def no_empty_text(sentences):
    return dropped(sentences) if any(not row["content"] for row in sentences) else None


def labels(sentences):
    return [{"id": row["id"], "result": "chat"} for row in sentences]


# Name of the defect: what it answers, and the probe that has to name it.
DEFECTS = {
    "error-page": (error_page, "status"),
    "redirect": (redirect, "status"),
    "gbk": (gbk, "charset"),
    "other-shape": (other_shape, "schema"),
    "dropped-sentence": (dropped, "labels"),
    "repeated-sentence": (repeated, "labels"),
    "foreign-ids": (foreign_ids, "labels"),
    "labels-that-are-numbers": (numbers, "labels"),
    "no-large-batch": (no_large_batch, "batch"),
    "no-empty-text": (no_empty_text, "empty_input"),
}


@contextmanager
def defective_service(defect):
    answer, _probe = DEFECTS[defect]
    with template_service({}, lambda number, sentences: answer(sentences)) as service:
        yield service
