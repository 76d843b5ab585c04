"""manage.py demo: what it prints, and what it leaves behind."""

from io import StringIO

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
