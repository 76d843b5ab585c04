"""manage.py demo: what it prints, and what it leaves behind."""

from io import StringIO
from types import SimpleNamespace

from demo.management.commands.demo import Command, forget_passwords


def test_no_file_holds_a_password(tmp_path):
    path = tmp_path / "demo-accounts.json"
    path.write_text('{"tester-1": "a"}')
    forget_passwords(path)
    assert list(tmp_path.iterdir()) == []
    forget_passwords(path)


def test_passwords_are_printed_once_and_the_one_click_sign_in_is_named_afterwards():
    first, later = StringIO(), StringIO()
    Command(stdout=first).print_pages("demo", 8000, {"tester-1": "canary-password", "tester-3": "another"})
    Command(stdout=later).print_pages("demo", 8000, {})
    assert "canary-password" in first.getvalue()
    assert "shown this once" in first.getvalue()
    rows = {line.split()[0]: line for line in later.getvalue().splitlines() if line.startswith("  ")}
    assert "(one click)" in rows["tester-1"]
    assert "(as before)" in rows["tester-3"]


def test_a_campaign_that_cannot_be_filled_does_not_end_the_demo(monkeypatch):
    def breaks(*args, **named):
        raise KeyError("a new system")

    monkeypatch.setattr("demo.simulated.simulate_and_judge", breaks)
    told = StringIO()
    Command(stderr=told).fill(SimpleNamespace(slug="models-demo"))
    assert told.getvalue() == "The campaign models-demo stays as it is: KeyError: 'a new system'\n"
