"""The description of the API is whole, valid OpenAPI 3.1, and open to everybody."""

import json
from typing import TypedDict

import pytest
import yaml
from django.utils import translation
from drf_spectacular.plumbing import ComponentRegistry
from drf_spectacular.validation import validate_schema
from rest_framework.views import APIView

from frame.api_pages.operations import Operation, SharedName
from frame.api_pages.reading import groups_of, links_in, type_of
from frame.api_pages.views import api_schema
from tests.routes import routes

# As many as an organizer types.
ANSWERED_WHOLE = {"/api/v1/campaigns/{slug}/task-setup/", "/api/v1/campaigns/{slug}/task-setup/one/{key}/quotas/"}
METHODS = {"get", "post", "put", "patch", "delete"}


def operations():
    schema = api_schema()
    return [(path, method, said) for path, methods in schema["paths"].items() for method, said in methods.items()]


def test_it_is_valid_openapi_3_1():
    schema = json.loads(json.dumps(api_schema(), default=str))
    assert schema["openapi"] == "3.1.0"
    validate_schema(schema)


@pytest.mark.parametrize(("path", "method", "said"), operations(), ids=lambda one: one if isinstance(one, str) else "")
def test_every_operation_says_what_it_does_answers_and_for_whom(path, method, said):
    assert "x-undescribed" not in said, f"{method} {path} has no @describes (api/describing.py)"
    assert said["summary"]
    assert any(status < "300" for status in said["responses"])
    assert "application/problem+json" in api_schema()["components"]["responses"]["Problem404"]["content"]
    assert {"400", "401", "404", "429"} <= said["responses"].keys()
    assert said["x-access"] != "roles" or said["x-roles"]
    assert said["security"]


def test_every_method_of_every_view_is_in_it():
    described = {(path, method) for path, method, _ in operations()}
    declared = {
        (re_written(path), method)
        for path, callback in routes()
        if path.startswith("api/") and issubclass(callback.cls, APIView)
        for method in METHODS
        if hasattr(callback.cls, method)
    }
    assert declared == described


def test_a_body_is_needed_where_one_of_its_fields_has_no_default():
    needed = {
        (path, method): said["requestBody"]["required"] for path, method, said in operations() if "requestBody" in said
    }
    assert needed["/api/v1/account/sessions/", "delete"] is False
    assert needed["/api/v1/log-in/", "post"] is True
    # A file that is sent.
    assert needed["/api/v1/campaigns/{slug}/records/import/", "post"] is True


def re_written(path: str) -> str:
    """A route of Django's as OpenAPI writes it."""
    for kind in ("slug", "str", "int", "uuid"):
        path = path.replace(f"<{kind}:", "{")
    return "/" + path.replace(">", "}")


@pytest.mark.parametrize(("path", "method", "said"), operations(), ids=lambda one: one if isinstance(one, str) else "")
def test_every_list_has_pages_and_says_so(path, method, said):
    contents = said["responses"].get("200", {}).get("content", {})
    lists = [one for one in contents.values() if one["schema"].get("type") == "array" and path not in ANSWERED_WHOLE]
    asked = {one["name"] for one in said.get("parameters", ())}
    assert not lists or {"page", "per_page"} <= asked
    assert ("per_page" in asked) == ("Link" in said["responses"].get("200", {}).get("headers", {}))


def test_the_check_sees_an_operation_without_a_description():
    class Silent(APIView):
        access = None

        def get(self, request):
            """Nothing is declared here."""

    assert getattr(Silent.get, "description", None) is None


def test_operations_have_names_of_their_own():
    names = [said["operationId"] for _, _, said in operations()]
    assert len(names) == len(set(names))


def test_no_two_shapes_share_a_name():
    registry, operation = ComponentRegistry(), Operation()
    operation.registry = registry
    one, other = (TypedDict("RowAnswer", {name: int}) for name in ("id", "number"))
    operation._shape(one)
    operation._shape(one)
    with pytest.raises(SharedName):
        operation._shape(other)


@pytest.mark.django_db
def test_anybody_may_read_it_and_the_frames(client):
    for address in ("/api/v1/schema/", "/api/v1/schema/frames/"):
        answer = client.get(address)
        assert answer.status_code == 200
        assert answer.headers["Content-Type"] == "application/json"
        assert answer.headers["RateLimit-Limit"]
    assert client.get("/api/v1/schema/").json()["paths"].keys() == api_schema()["paths"].keys()


A, B = {"$ref": "#/components/schemas/A"}, {"$ref": "#/components/schemas/B"}


@pytest.mark.parametrize(
    ("schema", "line"),
    [
        ({}, "any"),
        ({"type": "string", "maxLength": 60}, "string ≤ 60"),
        ({"type": "string", "format": "uuid"}, "string (uuid)"),
        ({"type": "integer", "minimum": 1, "maximum": 20}, "integer 1…20"),
        ({"type": ["string", "null"]}, "string | null"),
        ({"type": "array", "items": A}, "[A]"),
        ({"anyOf": [A, {"type": "null"}]}, "A | null"),
        ({"type": "string", "enum": ["a", "b"]}, '"a" | "b"'),
        ({"type": "object"}, "{…}"),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "{…: number}"),
        ({"type": "object", "properties": {"zh": {"type": "string"}}}, "{zh: string}"),
    ],
)
def test_a_type_is_one_line(schema, line):
    assert type_of(schema) == line


def test_links_are_the_shapes_that_a_type_names_each_once():
    assert sorted(links_in({"anyOf": [A, {"type": "array", "items": B}, A]})) == ["A", "B"]


def test_operations_stand_under_their_room_and_unknown_rooms_come_last():
    said = {"summary": "x", "operationId": "x", "responses": {}, "x-roles": [], "x-access": "open"}
    paths = {"/a/": {"get": {**said, "tags": ["elsewhere"]}}, "/b/": {"post": {**said, "tags": ["reviews"]}}}
    assert [(group.key, group.operations[0].path) for group in groups_of({"paths": paths})] == [
        ("reviews", "/b/"),
        ("elsewhere", "/a/"),
    ]


pytestmark = pytest.mark.django_db


def test_the_page_has_a_place_for_each_operation_and_each_shape(client):
    page = client.get("/about/api/").content.decode()
    for methods in api_schema()["paths"].values():
        for said in methods.values():
            assert f'id="{said["operationId"]}"' in page
    for name in api_schema()["components"]["schemas"]:
        assert f'id="shape-{name}"' in page


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_the_page_is_in_the_readers_language(client, language):
    client.cookies["django_language"] = language
    with translation.override(language):
        assert str(translation.gettext("Skip to content")) in client.get("/about/api/").content.decode()


@pytest.mark.parametrize(
    "asked", ["", "application/vnd.oai.openapi+json", "application/yaml", "application/vnd.oai.openapi"]
)
def test_the_description_is_given_as_json_or_yaml_under_the_names_that_openapi_has(client, asked):
    answer = client.get("/api/v1/schema/", headers={"accept": asked} if asked else {})
    kind = answer.headers["Content-Type"].partition(";")[0]
    assert (answer.status_code, kind) == (200, asked or "application/json")
    said = yaml.safe_load(answer.content) if "json" not in kind else json.loads(answer.content)
    assert said["openapi"].startswith("3.1")
    assert "Accept" in answer.headers["Vary"]
