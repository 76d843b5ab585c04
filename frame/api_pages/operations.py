"""Operations of the REST API as OpenAPI 3.1: what `describes` declares, with whom the route lets in and how things go wrong."""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NotRequired, TypedDict

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent
from rest_framework.serializers import BaseSerializer

from accounts.access import Access
from api.describing import Description, FileOf
from api.problems import PROBLEM_TYPE, TITLES
from reading.json_schemas import AnswerShapes, Schema, schema_of
from reading.kinds import Kind
from reading.tables import table_of

JSON = "application/json"
FORM = "multipart/form-data"
# What may go wrong everywhere, and where something is sent.
EVERYWHERE = (400, 401, 403, 404, 406, 429, 503)
WITH_BODY = (413, 415)
LIST_HEADERS = {
    "X-Total-Count": {"description": "How many there are on all pages", "schema": {"type": "integer"}},
    "Link": {"description": "The first, prev, next and last page (RFC 8288)", "schema": {"type": "string"}},
}
WHO = {"open": "everybody", "people": "anybody with an account", "staff": "staff of the site", "published": ""}
TOLD = "whoever may see it: organizers of the campaign, others once it is published or released"


class Problem(TypedDict):
    """A problem detail (RFC 9457). `code` is for programs and never changes; some codes bring members of their own."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    detail_zh: NotRequired[str]
    detail_en: NotRequired[str]
    fields: NotRequired[Mapping[str, Any]]


class SharedName(Exception):
    """Two shapes of answers have this name: give one of them another."""


class Operation(AutoSchema):
    """Operations without a description say so in `x-undescribed`; a test finds them."""

    @property
    def described(self) -> Description:
        found: Description | None = getattr(getattr(self.view, self.method.lower()), "description", None)
        return found or Description("", {200: object})

    def get_operation_id(self) -> str:
        return f"{self.method.lower()}-{_name_of(self.path)}"

    def get_summary(self) -> str | None:
        return self.described.says or None

    def get_description(self) -> str:  # type: ignore[override]
        return f"For {who_may(access_of(self.view))}."

    def get_tags(self) -> list[str]:
        return [type(self.view).__module__.split(".")[0]]

    def get_extensions(self) -> dict[str, Any]:
        access = access_of(self.view)
        undescribed = {} if self.described.says else {"x-undescribed": True}
        return {"x-access": access.kind, "x-roles": [str(role) for role in access.roles], **undescribed}

    def get_auth(self) -> list[dict[str, list[str]]]:
        anybody: list[dict[str, list[str]]] = [{}] if access_of(self.view).kind in {"open", "published"} else []
        return [{"token": []}, {"session": []}, *anybody]

    def _get_parameters(self) -> list[Schema]:
        names = re.findall(r"{([^}]+)}", self.path)
        of_path = [one for one in self._resolve_path_parameters(names) if one["in"] == "path"]
        asked = [
            {"name": name, "in": "query", "schema": schema_of(kind)}
            for name, kind in sorted(self.described.asks.items())
        ]
        return [*of_path, *asked]

    def _get_request_body(self, direction: Any = "request") -> Schema | None:
        reads, uploads = self.described.reads, self.described.uploads
        content = {}
        if reads is not None:
            content[JSON] = {"schema": self._body(reads)}
        if uploads is not None:
            content[FORM] = {"schema": _form(uploads, self.described.files)}
        is_needed = any(_is_needed(one["schema"]) for one in content.values())
        return {"content": content, "required": is_needed} if content else None

    def _body(self, reads: Any) -> Schema:
        """Of a serializer, a kind, or a dataclass whose fields are annotated with kinds."""
        if isinstance(reads, type) and issubclass(reads, BaseSerializer):
            schema: Schema = self._map_serializer(reads(), "request")
            return schema
        if isinstance(reads, Kind):
            return schema_of(reads)
        return schema_of(table_of(reads))

    def _get_response_bodies(self, direction: Any = "response") -> Schema:
        said = self.described
        answers = {str(status): self._answer(answer) for status, answer in said.answers.items()}
        if "per_page" in said.asks:
            answers["200"]["headers"] = LIST_HEADERS
        sends = WITH_BODY if said.reads is not None or said.uploads is not None else ()
        return answers | {str(status): self._problem(status) for status in sorted({*EVERYWHERE, *sends, *said.refuses})}

    def _problem(self, status: int) -> Schema:
        schema = {"description": str(TITLES[status]), "content": {PROBLEM_TYPE: {"schema": self._shape(Problem)}}}
        component = ResolvedComponent(f"Problem{status}", ResolvedComponent.RESPONSE, schema, status)
        self.registry.register_on_missing(component)
        return {"$ref": f"#/components/responses/Problem{status}"}

    def _answer(self, answer: Any) -> Schema:
        if answer is None:
            return {"description": "Done; the answer is empty"}
        if isinstance(answer, FileOf):
            return {
                "description": "The file",
                "content": {one: {"schema": _file_of(one)} for one in answer.media_types},
            }
        return {"description": "What was asked for", "content": {JSON: {"schema": self._shape(answer)}}}

    def _shape(self, hint: Any) -> Schema:
        schema, named = _shape_of(hint)
        for name, shape in named.items():
            component = ResolvedComponent(name, ResolvedComponent.SCHEMA, shape, name)
            self.registry.register_on_missing(component)
            # The registry keeps the first: answers of the second would be described as something else.
            if self.registry[component].schema != shape:
                raise SharedName(name)
        return dict(schema)


def _is_needed(body: Schema) -> bool:
    """A body of which every field has a default may be left out."""
    return body.get("type") != "object" or bool(body.get("required"))


@cache
def _shape_of(hint: Any) -> tuple[Schema, dict[str, Schema]]:
    shapes = AnswerShapes()
    return shapes.of(hint), shapes.named


def access_of(view: Any) -> Access:
    """Each view declares it; tests/promises/test_access.py says where one does not."""
    access: Access = view.access
    return access


def who_may(access: Access) -> str:
    if access.kind == "roles":
        return f"these roles of the campaign: {', '.join(access.roles)}"
    return WHO.get(access.kind) or TOLD


def _form(fields: Mapping[str, Kind], files: Mapping[str, bool]) -> Schema:
    properties = {name: schema_of(kind) for name, kind in fields.items()}
    uploads = {name: {"type": "string", "format": "binary"} for name in files}
    needed = [name for name, is_needed in files.items() if is_needed]
    return {"type": "object", "properties": {**uploads, **properties}, "required": needed}


def _name_of(path: str) -> str:
    """The words of the path; its arguments by their names."""
    parts: Iterable[str] = path.removeprefix("/api/v1/").replace("{", "by-").replace("}", "").split("/")
    return "-".join(part.replace("_", "-").replace(".", "-") for part in parts if part)


def _file_of(media_type: str) -> Schema:
    """A program reads a file of JSON like any other answer."""
    return {} if media_type == JSON else {"type": "string", "format": "binary"}
