"""OpenTelemetry by environment alone: a real collector's protocol receives a span per request, with its route and no word of anybody."""

import gzip
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from tests.live.server import live
from tests.waiting import until

pytestmark = pytest.mark.server


class Collector(ThreadingHTTPServer):
    """Takes what is posted to it as OTLP over HTTP."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.received = []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    @property
    def spans(self):
        return [
            span
            for request in self.received
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        assert self.path == "/v1/traces"
        request = ExportTraceServiceRequest()
        request.ParseFromString(body)
        self.server.received.append(request)
        self.send_response(200)
        self.end_headers()

    def log_message(self, *arguments):
        pass


@contextmanager
def collecting():
    collector = Collector()
    thread = threading.Thread(target=collector.serve_forever)
    thread.start()
    try:
        yield collector
    finally:
        collector.shutdown()
        thread.join()
        collector.server_close()


def test_a_collector_learns_routes_and_times_alone(tmp_path, bot):
    with collecting() as collector:
        environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, "OTEL_BSP_SCHEDULE_DELAY": "200"}
        with live(tmp_path, bot.url, environment=environment) as server:
            server.request("GET", "/invitations/opens-an-account/?next=Geheimnis", person=None)
            server.request("GET", "/nowhere/Geheimnis/", person=None)
            dialogue = server.open_dialogue()
            # In what an error says: this campaign does not exist.
            server.request("POST", "/api/v1/dialogues/", {"campaign": "Geheimnis", "bot": "x", "scenario": "y"})
            until(lambda: len(collector.spans) >= 5)
            assert server.stop() == 0
        spans = {span.name: {one.key: one.value.string_value for one in span.attributes} for span in collector.spans}
    assert {"GET invitations/<str:token>/", "POST api/v1/dialogues/"} <= spans.keys()
    assert spans["GET invitations/<str:token>/"]["http.url"] == "/invitations/<str:token>/"
    told = "".join(str(request) for request in collector.received)
    assert "http.status_code" in told
    assert [mark for mark in ("Geheimnis", "opens-an-account", dialogue) if mark in told] == []
