"""The rooms and who may import whom (design §3), and what must never stand in the tree."""

import ast
import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from django.core.management import call_command

ROOT = Path(__file__).resolve().parents[1]
ROOMS = [
    "look", "measures", "reading", "scoring", "serving", "audit", "api", "accounts", "participants", "rubrics", "campaigns", "language_models", "registration", "conformance", "dialogues", "testing_console",
    "reviews", "crowds", "replays",
    "verification", "leaderboards", "pairs", "simulation", "judging", "publication", "analysis", "automatic_tasks", "team_desk", "organizing", "operating", "notifications", "privacy", "frame", "demo", "config",
]  # fmt: skip
ALLOWED_IN_PURE = (
    "django.utils.translation",
    "django.utils.functional",
    # How a moment is written in words and in markup.
    "django.utils.dateformat",
    "django.utils.html",
    "django.utils.safestring",
)
NOT_IN_PURE = {"django", "channels", "httpx", "aiohttp", "rest_framework", "knox"}


def files_of(room: str) -> list[Path]:
    return [path for path in (ROOT / room).rglob("*.py") if "migrations" not in path.parts]


def imports_of(path: Path) -> set[str]:
    """Every module that the file imports, at its head or inside a function."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module)
            # `from package import module` runs that module too.
            found |= {name for alias in node.names if file_of(name := f"{node.module}.{alias.name}")}
    return found


def file_of(module: str) -> Path | None:
    """The file of a module of ours, or None."""
    path = ROOT.joinpath(*module.split("."))
    files = [path.with_suffix(".py"), path / "__init__.py"]
    return next((file for file in files if file.is_file()), None)


def reached_from(path: Path) -> dict[str, Path]:
    """Every module that comes with the file, however far away, and the file of ours that imports it."""
    reached: dict[str, Path] = {}
    waiting = [path]
    while waiting:
        importer = waiting.pop()
        for module in imports_of(importer):
            # The packages around a module run before it.
            parts = module.split(".")
            for name in [".".join(parts[:n]) for n in range(1, len(parts) + 1)]:
                if name not in reached:
                    reached[name] = importer
                    waiting += [file] if (file := file_of(name)) else []
    return reached


def is_impure(module: str) -> bool:
    """Frameworks and models; marking texts for translation (and the type of such a text) and writing a moment ask for neither."""
    if any(f"{allowed}.".startswith(f"{module}.") or module.startswith(f"{allowed}.") for allowed in ALLOWED_IN_PURE):
        return False
    parts = module.split(".")
    return parts[0] in NOT_IN_PURE or (parts[0] in ROOMS and parts[-1] == "models")


def says_that_it_is_pure(path: Path) -> bool:
    return re.search(r"\bPure\b", ast.get_docstring(ast.parse(path.read_text())) or "") is not None


def pure_modules() -> list[Path]:
    """The modules of rules: those that call themselves pure, and the measures."""
    files = [path for room in ROOMS for path in files_of(room) if path.name != "__init__.py"]
    return [path for path in files if says_that_it_is_pure(path) or path.relative_to(ROOT).parts[0] == "measures"]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("room", ROOMS[:-1])
def test_no_room_imports_upwards_and_none_imports_config(room):
    above = set(ROOMS[ROOMS.index(room) + 1 :])
    for path in files_of(room):
        upwards = {module for module in imports_of(path) if module.split(".")[0] in above}
        assert not upwards, f"{path.relative_to(ROOT)} imports {', '.join(upwards)}"


def test_the_import_check_sees_an_arrow_upwards(tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text("def f():\n    from reviews.models import Review\n")
    assert imports_of(bad) == {"reviews.models"}


def test_what_draws_pages_knows_no_room():
    for path in files_of("look"):
        first_names = {module.split(".")[0] for module in imports_of(path)}
        assert not first_names & (set(ROOMS) - {"look"}), path


def test_measures_import_no_room_and_no_framework():
    for path in files_of("measures"):
        first_names = {module.split(".")[0] for module in imports_of(path)}
        assert not first_names & (NOT_IN_PURE | set(ROOMS) - {"measures"}), path


def test_the_rules_call_themselves_pure():
    """Some of them by name: a rule module that loses the word would be checked no more."""
    named = {name_of(path) for path in pure_modules()}
    assert len(named) > 60
    assert named >= {
        "dialogues/turn_taking.py", "dialogues/masking.py", "measures/ranking.py", "leaderboards/board.py",
        "campaigns/planning/drawing.py", "reviews/panel_drawing.py", "audit/chain.py", "reading/strict_json.py",
    }  # fmt: skip


def test_no_folder_is_a_long_list():
    """What is read together then gets a package that names its subject (decision 0033)."""
    modules = Counter(path.parent for room in ROOMS for path in files_of(room) if path.name != "__init__.py")
    assert {name_of(folder): many for folder, many in modules.items() if many > 25} == {}


@pytest.mark.parametrize("path", pure_modules(), ids=name_of)
def test_rules_reach_neither_a_framework_nor_a_model(path):
    impure = {module: name_of(importer) for module, importer in reached_from(path).items() if is_impure(module)}
    assert not impure, f"{name_of(path)} reaches {impure}"


def test_the_check_of_purity_sees_what_is_far_away():
    from_a_model = reached_from(ROOT / "leaderboards" / "live_board.py")
    assert is_impure("django.db.models")
    assert is_impure("campaigns.models")
    assert {"django.db", "campaigns.models", "participants.models"} <= set(from_a_model)
    assert not any(map(is_impure, ("django", "django.utils", "django.utils.translation", "measures.live", "re")))


# Writes that stand outside of the actions, and why.
WRITES_ELSEWHERE = {
    "automatic_tasks/runs/queue.py": "what a worker writes, each bound to the lease that it holds",
    "look/plot_files.py": "a picture's bytes: no row",
    "leaderboards/computations.py": "the claim and the progress of a row that an action of either room of boards computes",
}
ALWAYS_WRITES = {
    "save", "create", "bulk_create", "bulk_update", "get_or_create", "update_or_create", "delete", "asave", "acreate",
    "abulk_create", "abulk_update", "aget_or_create", "aupdate_or_create", "adelete",
}  # fmt: skip


def writes_of(path: Path) -> list[int]:
    """The lines that write rows: through the ORM, or by statements that insert and update without it."""
    lines = []
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call):
            continue
        if is_writing_statement(node) or (
            isinstance(node.func, ast.Attribute)
            and (
                node.func.attr in ALWAYS_WRITES
                # Of a query set it takes names only; of a dictionary, a set or a hash it takes one value.
                or (node.func.attr in {"update", "aupdate"} and not node.args)
            )
        ):
            lines.append(node.lineno)
    return sorted(lines)


def is_writing_statement(call: ast.Call) -> bool:
    """SQL of the hot path: `insert(…)`, or a `Statement` whose text changes rows (a lock does not)."""
    if not isinstance(call.func, ast.Name) or call.func.id not in {"insert", "Statement"}:
        return False
    texts = [one.value for one in ast.walk(call) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    sql = " ".join(texts).replace("FOR UPDATE", "")
    return call.func.id == "insert" or re.search(r"\b(INSERT|UPDATE|DELETE)\b", sql) is not None


def is_of_actions(path: Path) -> bool:
    return path.name == "actions.py" or "actions" in path.relative_to(ROOT).parts


def test_every_write_is_an_action():
    """One place per room says what can be done; views, rules, models and commands call it."""
    for room in ROOMS:
        for path in files_of(room):
            if not is_of_actions(path) and name_of(path) not in WRITES_ELSEWHERE:
                assert not writes_of(path), f"{name_of(path)} writes rows in lines {writes_of(path)}"


def test_the_files_that_may_write_outside_of_actions_do():
    for name in WRITES_ELSEWHERE:
        assert writes_of(ROOT / name), f"{name} writes nothing by now: take it off the list"


def test_the_check_of_writes_sees_each_way_to_write(tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text(
        "Person.objects.create(name='x')\nperson.save()\nrows.update(state='x')\nteam.runs.all().delete()\n"
        "known.update({'a': 1})\nhashing.update(content)\n_insert = insert(Turn)\n"
        "_count = Statement(f'UPDATE {x} SET y = 1')\n_lock = Statement(f'SELECT 1 FROM {x} FOR UPDATE')\n"
    )
    assert writes_of(bad) == [1, 2, 3, 4, 7, 8]


def test_the_server_starts_without_the_heavy_libraries():
    code = (
        "import os, sys; os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'config.settings'); "
        "import config.asgi; print([m for m in ('pandas', 'pyarrow', 'scipy', 'sklearn', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.django_db
def test_the_migrations_make_what_the_models_say():
    """Fails by SystemExit, with the operation that is missing."""
    call_command("makemigrations", check=True, dry_run=True)


def test_no_file_names_a_registry_or_a_path_of_a_machine():
    unwanted = re.compile(r"files\.pythonhosted|registry\.npmjs|pypi\.org|--index-url|--extra-index|/root/|/home/")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    for name in listed:
        path = ROOT / name
        if (
            path.suffix in {".png", ".mo", ".json", ".woff2", ".ico", ".zip"}
            or not path.exists()
            or name == "tests/test_house.py"
        ):
            continue
        match = unwanted.search(path.read_text(encoding="utf-8"))
        assert match is None, f"{name} names {match[0]}"


def test_no_file_holds_a_merge_that_was_left_undone():
    found = subprocess.run(["git", "grep", "-lE", "^(<{7}|>{7}) "], cwd=ROOT, capture_output=True, text=True)
    assert found.stdout.split() == []


def test_marks_stand_where_make_looks_for_the_files_that_have_them():
    mark = re.compile(r"mark\.(server|e2e|chaos)\b")
    elsewhere = [path for path in (ROOT / "tests").rglob("*.py") if not path.name.startswith("test_")]
    assert not [path for path in elsewhere if mark.search(path.read_text())], (
        "the Makefile would not collect what it marks"
    )


def test_the_lock_has_hashes_for_every_package():
    lock = (ROOT / "requirements.txt").read_text()
    pinned = re.findall(r"^[a-z0-9._-]+(?:\[[a-z,]+\])?==\S+", lock, re.MULTILINE)
    assert len(pinned) > 50
    for block in re.split(r"\n(?=[a-z0-9])", lock):
        if "==" in block:
            assert "--hash=sha256:" in block, block.splitlines()[0]


def test_a_server_installs_no_library_of_researchers():
    lock = (ROOT / "requirements-server.txt").read_text()
    assert not re.search(r"^(pandas|pyarrow)\b", lock, re.MULTILINE)


def test_vendored_files_are_what_the_manifest_says():
    vendor = ROOT / "static" / "vendor"
    for entry in json.loads((vendor / "manifest.json").read_text()):
        content = (vendor / entry["file"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == entry["sha256"], entry["file"]


def test_every_vendored_file_is_in_the_manifest_and_has_its_licence_beside_it():
    vendor = ROOT / "static" / "vendor"
    listed = {entry["file"] for entry in json.loads((vendor / "manifest.json").read_text())}
    found = {str(path.relative_to(vendor)) for path in vendor.rglob("*") if path.is_file()}
    assert {name for name in found if not name.endswith(("LICENSE", "manifest.json"))} == listed
    assert all((vendor / name).parent.joinpath("LICENSE").exists() for name in listed)


def test_the_font_is_small():
    assert (ROOT / "static" / "vendor" / "geist" / "geist-latin-wght-normal.woff2").stat().st_size <= 30 * 1024


def test_only_the_tokens_name_a_colour():
    named = re.compile(r"#[0-9a-fA-F]{3,8}\b(?![^{]*\{)|\brgba?\(|\bhsla?\(")
    for path in (ROOT / "static").rglob("*.css"):
        if path.name != "tokens.css":
            assert not named.search(path.read_text()), path


BLOCK = re.compile(
    r"<(?:div|p|li|tr|td|th|section|form|table|ul|ol|dl|dt|dd|h[1-4]|header|footer|nav|main|aside|article|figure|fieldset)\b"
)


def templates() -> list[Path]:
    return sorted((ROOT / "templates").rglob("*.html"))


@pytest.mark.parametrize("path", templates(), ids=name_of)
def test_a_template_has_short_lines_with_one_element_each(path):
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        assert len(line) <= 140, f"{name_of(path)}:{number} has {len(line)} characters"
        assert len(BLOCK.findall(line)) <= 1, f"{name_of(path)}:{number} opens several elements"


def test_the_icons_that_pages_use_are_vendored_and_no_others():
    used = set()
    for path in (ROOT / "templates").rglob("*.html"):
        used |= set(re.findall(r'{% icon "([a-z0-9-]+)"', path.read_text()))
    vendored = {path.stem for path in (ROOT / "static" / "vendor" / "lucide").glob("*.svg")}
    named_in_code = {name for room in ROOMS for path in files_of(room) for name in strings_of(path)}
    assert used <= vendored
    assert vendored - used <= named_in_code


def strings_of(path: Path) -> set[str]:
    nodes = ast.walk(ast.parse(path.read_text()))
    return {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}


def test_pages_hold_no_inline_code():
    for path in (ROOT / "templates").rglob("*.html"):
        text = path.read_text()
        assert not re.search(r"<script(?![^>]*\bsrc=)", text), path
        assert not re.search(r"\son[a-z]+=|\sstyle=|javascript:", text), path


def test_every_dependency_has_a_line_that_says_why():
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *(one for many in project["optional-dependencies"].values() for one in many)]
    page = (ROOT / "docs" / "dependencies.md").read_text()
    for requirement in wanted:
        name = re.match(r"[a-z0-9-]+", requirement)[0]
        assert f"`{name}`" in page, f"docs/dependencies.md does not mention {name}"


def imports_at_the_head(path: Path) -> set[str]:
    """The modules of ours that run before the file does; what only types name does not."""
    nodes = [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.ImportFrom) and node.module]
    names = {node.module for node in nodes} | {f"{node.module}.{alias.name}" for node in nodes for alias in node.names}
    return {name for name in names if file_of(name)}


def test_no_module_needs_itself_to_be_imported():
    """Whichever module is imported first, it runs: a circle works in one order and fails in another."""
    files = [path for room in ROOMS for path in files_of(room) if path.name != "__init__.py"]
    names = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in files}
    graph = {name: imports_at_the_head(path) & set(names.values()) for path, name in names.items()}
    TopologicalSorter(graph).prepare()


def test_no_function_is_over_eighty_lines():
    lengths = {
        f"{name_of(path)}:{node.lineno} {node.name}": (node.end_lineno or node.lineno) - node.lineno + 1
        for room in ROOMS
        for path in files_of(room)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert len(lengths) > 1000
    assert {name: lines for name, lines in lengths.items() if lines > 80} == {}
