"""What a span tells of a request: its route, and of an error its class. A real collector: tests/live/test_traces.py."""

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import RequestFactory
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.trace import use_span

from serving.monitoring import tracing
from serving.monitoring.tracing import ERROR_OF_REQUEST, refuse_traces_without_library, tell_route_alone


def test_a_span_has_the_route_and_the_class_of_an_error():
    request = RequestFactory().get("/invitations/opens-an-account/", {"next": "Geheimnis"})
    request.META[ERROR_OF_REQUEST] = ValueError("Geheimnis")
    span = TracerProvider().get_tracer("tests").start_span("GET", attributes={"http.url": request.build_absolute_uri()})
    with use_span(span):
        tell_route_alone(request, "invitations/<str:token>/")
    assert span.attributes["http.url"] == span.attributes["url.path"] == "/invitations/<str:token>/"
    assert span.attributes["error.type"] == "ValueError"
    # What its middleware would end the span with.
    assert ERROR_OF_REQUEST not in request.META
    assert "Geheimnis" not in str(span.attributes)


def test_a_collector_without_the_library_stops_the_start(monkeypatch):
    monkeypatch.setattr(tracing, "find_spec", lambda name: None)
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT", raising=False)
    refuse_traces_without_library()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318")
    with pytest.raises(ImproperlyConfigured, match="extra `otel`"):
        refuse_traces_without_library()
