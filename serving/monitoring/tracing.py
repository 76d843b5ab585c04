"""Traces of requests, where the environment names a collector of OpenTelemetry: routes and times, and nothing that anybody wrote."""

import os
import sys
from importlib.util import find_spec

from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
DEFAULTS = {
    "OTEL_SERVICE_NAME": "huace",
    "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
    # What is counted and logged goes other ways.
    "OTEL_METRICS_EXPORTER": "none",
    "OTEL_LOGS_EXPORTER": "none",
    # An event of a span is an error with what it says, which may quote a row.
    "OTEL_SPAN_EVENT_COUNT_LIMIT": "0",
}
ADDRESSES = ("http.url", "http.target", "url.full", "url.path")
# Where its middleware leaves an error for the end of the span, whose status would hold what the error says.
ERROR_OF_REQUEST = "opentelemetry-instrumentor-django.exception_key"


def refuse_traces_without_library() -> None:
    """Errors: `ImproperlyConfigured`."""
    if _are_wanted() and find_spec("opentelemetry") is None:
        raise ImproperlyConfigured(
            f"{ENDPOINTS[0]} is set, but OpenTelemetry is not installed: install Huace with its extra `otel`."
        )


def _are_wanted() -> bool:
    return any(name in os.environ for name in ENDPOINTS)


def begin_traces() -> None:
    """Before the pages are made: instruments add a middleware to theirs."""
    if not _are_wanted():
        return
    from opentelemetry.instrumentation.auto_instrumentation import initialize

    for name, value in DEFAULTS.items():
        os.environ.setdefault(name, value)
    initialize()


def tell_route_alone(request: HttpRequest, route: str) -> None:
    """An address may hold a name, or a word that opens an account: the span of this request gets its route instead."""
    if "opentelemetry.trace" not in sys.modules:
        return
    from opentelemetry.trace import get_current_span

    span = get_current_span()
    for name in ADDRESSES:
        span.set_attribute(name, f"/{route}")
    span.set_attribute("url.query", "")
    error = request.META.pop(ERROR_OF_REQUEST, None)
    if error is not None:
        span.set_attribute("error.type", type(error).__name__)
