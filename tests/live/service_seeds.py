"""What the pages of services show in browser tests: a service with a green report, one that warns before it, and fingerprints."""

from datetime import timedelta

from tests.live.talking import moment


def service_pages():
    """What stands for each name in the addresses of these pages: the service that the demo's tasks name."""
    from automatic_tasks.models import Service

    service = Service.objects.get(task__campaign__slug="smp2018-demo", task__key="intents")
    report(service, moment(20), warns=True)
    fingerprints(service)
    return {"service": service.pk, "service_report": report(service, moment(40)).pk}


def found(*, warns=False):
    """What the lab writes for a service that labels well, and for one that answers half a request."""
    from conformance import label_services
    from conformance.probes import disturbances, first_word, load
    from conformance.results import Result, Verdict
    from reading.findings import Finding

    said = [
        ("reachable", "pass", first_word.RIGHT["reachable"], {}),
        ("labels", "pass", label_services.LABELLED, {"labels": "chat, flight, train"}),
        ("batch", "pass", label_services.BATCH_IS_FINE, {"n": 6, "took_ms": 120}),
        ("errors", "pass", disturbances.REFUSED, {"status": 400}),
        ("latency", "pass", load.QUICK, {"p50": 20, "p95": 44, "n": 10, "dialogues": 1}),
    ]
    if warns:
        said[3] = ("errors", "warn", disturbances.TOOK_IT, {})
    return [
        Result(name, Verdict(verdict), Finding("", text, values), "", 40 + 90 * n)
        for n, (name, verdict, text, values) in enumerate(said)
    ]


def report(service, at, *, warns=False):
    from automatic_tasks.actions.service_checks import ask_service_check, claim_service_check, end_service_check

    asked = ask_service_check(service=service, by=None, at=at)
    check = claim_service_check(worker="seeds", at=at + timedelta(seconds=1))
    assert check == asked
    end_service_check(check=check, worker="seeds", results=found(warns=warns), at=at + timedelta(seconds=12))
    return check


def fingerprints(service):
    """The reference, and one that differs."""
    said = {"protocol": service.protocol, "url": service.url}
    for days, more in (
        (2, {"answers": [["flight"]], "is_reference": True}),
        (1, {"answers": [["chat"]], "differs": [0]}),
    ):
        service.fingerprints.create(taken_at=moment(30) - timedelta(days=days), **said, **more)
