"""Which modules a script imports, directly or through others, so that a browser asks for all of them at once."""

import re
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from django.conf import settings
from django.contrib.staticfiles import finders

IMPORT = re.compile(r'^(?:import|export)\b[^"\';]*?\bfrom "(\.[^"]+)";|^import "(\.[^"]+)";', re.MULTILINE)


def imports_of(name: str, text: str) -> list[str]:
    """The static files that a module's text imports, by their names, as it names them relative to itself."""
    return [normpath(join(dirname(name), one or other)) for one, other in IMPORT.findall(text)]


def modules_behind(name: str) -> list[str]:
    """The modules that the named one imports, nearest first, each once, without itself."""
    return _walk(name) if settings.DEBUG else list(_walked_once(name))


@cache
def _walked_once(name: str) -> tuple[str, ...]:
    return tuple(_walk(name))


def _walk(name: str) -> list[str]:
    found = [name]
    for module in found:  # grows while it is walked
        found += [one for one in dict.fromkeys(imports_of(module, _text_of(module))) if one not in found]
    return found[1:]


def _text_of(name: str) -> str:
    path = finders.find(name)
    if path is None:
        raise FileNotFoundError(f"No static file is called {name}.")
    return Path(path).read_text(encoding="utf-8")
