"""A page names all modules behind its script, whatever they are split into."""

import pytest
from django.template import Context, Template

from config.settings import BASE_DIR
from look.modules import imports_of, modules_behind

CONSOLE = "testing_console/console.js"


def test_imports_are_named_relative_to_the_module():
    text = (
        'import { a } from "./keys.js";\nimport {\n  b,\n  c,\n} from "../look/ruler.js";\n'
        'import "./page.js";\nexport { d } from "./deep/er.js";\n'
        '// import { x } from "./no.js";\n/** @typedef {import("./type.js").T} T */\nconst later = () => import("./late.js");\n'
    )
    assert imports_of("room/main.js", text) == ["room/keys.js", "look/ruler.js", "room/page.js", "room/deep/er.js"]


def test_modules_are_found_through_others_each_once_and_without_the_script_itself():
    found = modules_behind(CONSOLE)
    assert "look/ruler.js" in found, "which only the goal card imports"
    assert len(found) == len(set(found)) > 15
    assert CONSOLE not in found
    assert all((BASE_DIR / "static" / name).is_file() for name in found)


def test_a_module_that_does_not_exist_is_named():
    with pytest.raises(FileNotFoundError, match=r"nowhere\.js"):
        modules_behind("look/nowhere.js")


def test_the_tag_writes_the_script_and_a_hint_for_each_module_behind_it():
    html = Template("{% module 'testing_console/console.js' %}").render(Context())
    assert html.startswith('<script type="module" src="/static/testing_console/console.js"></script>')
    assert html.count('<link rel="modulepreload" href="/static/') == len(modules_behind(CONSOLE))
