"""Language models of a campaign: pages and the API."""

from tests.fakes.scripted_model import scripted_model
from tests.language_models.endpoints import an_endpoint
from tests.trail_tries.table import tries

C = "campaigns/<slug:slug>/"
SAID = {"key": "m", "url": "https://models.example.org/v1", "model": "small-1"}
OTHER = {"url": "https://models.example.org/v1", "model": "small-2"}


def place_of(stage, rest="", api=""):
    return f"/{api}campaigns/small/models/{an_endpoint(secret='').pk}/{rest}"


def at_a_server(stage, api=""):
    """The address of a check, and a server that answers until the test ends."""
    running = scripted_model()
    port = running.__enter__()
    stage.request.addfinalizer(lambda: running.__exit__(None, None, None))
    stage.fixture("settings").OUTBOUND_ALLOW = frozenset({("127.0.0.1", port)})
    return f"/{api}campaigns/small/models/{an_endpoint(port).pk}/check/"


@tries(f"POST {C}models/", "model.declared")
def _(stage):
    return "", SAID


@tries(f"POST api/v1/{C}models/", "model.declared")
def _(stage):
    return "", SAID


@tries(f"POST {C}models/<int:endpoint_id>/", "model.changed")
def _(stage):
    return place_of(stage), OTHER


@tries(f"PUT api/v1/{C}models/<int:endpoint_id>/", "model.changed")
def _(stage):
    return place_of(stage, api="api/v1/"), OTHER


@tries(f"POST {C}models/<int:endpoint_id>/check/", "model.checked")
def _(stage):
    return at_a_server(stage), {}


@tries(f"POST api/v1/{C}models/<int:endpoint_id>/check/", "model.checked")
def _(stage):
    return at_a_server(stage, "api/v1/"), {}


@tries(f"POST {C}models/<int:endpoint_id>/withdraw/", "model.withdrawn")
def _(stage):
    return place_of(stage, "withdraw/"), {}


@tries(f"DELETE api/v1/{C}models/<int:endpoint_id>/", "model.withdrawn")
def _(stage):
    return place_of(stage, api="api/v1/"), {}
