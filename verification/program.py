"""Builds the verifier as one file, `huace-verify.pyz`: `make verifier` writes it, and each site serves it beside its bundles. Pure.

It holds the modules that `verification.verify` imports, however far away, and runs wherever Python 3.11 or newer does. The same code gives
the same bytes: names are sorted, times are fixed, and nothing is compressed, since versions of zlib differ.
"""

import ast
import hashlib
import sys
from functools import cache
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile, ZipInfo

from verification.verify import NAME

ROOT = Path(__file__).resolve().parents[1]
START = "verification.verify"
FIRST_LINE = b"#!/usr/bin/env python3\n"
MAIN = f"import sys\n\nfrom {START} import main\n\nsys.exit(main())\n"
FIXED_TIME = (1980, 1, 1, 0, 0, 0)
READABLE = 0o644 << 16


@cache
def program() -> bytes:
    """The whole file."""
    out = BytesIO(FIRST_LINE)
    out.seek(0, 2)
    with ZipFile(out, "a") as archive:
        for name, content in [("__main__.py", MAIN.encode()), *_sources()]:
            member = ZipInfo(name, FIXED_TIME)
            # Else the system that packs it would be told.
            member.create_system, member.external_attr = 3, READABLE
            archive.writestr(member, content)
    return out.getvalue()


@cache
def program_digest() -> str:
    """The SHA-256 that stands beside it."""
    return hashlib.sha256(program()).hexdigest()


def _sources() -> list[tuple[str, bytes]]:
    """The files of the modules that are needed, each by its name in the archive."""
    waiting, needed = [START], dict[str, bytes]()
    while waiting:
        path = _file_of(waiting.pop())
        if path is None or (name := path.relative_to(ROOT).as_posix()) in needed:
            continue
        needed[name] = path.read_bytes()
        # The packages around a module run before it.
        waiting += [".".join(path.relative_to(ROOT).parts[:depth]) for depth in range(1, len(Path(name).parts))]
        for node in ast.walk(ast.parse(needed[name])):
            if isinstance(node, ast.ImportFrom) and node.module:
                waiting += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            elif isinstance(node, ast.Import):
                waiting += [alias.name for alias in node.names]
    return sorted(needed.items())


def _file_of(module: str) -> Path | None:
    """The file of a module of ours, or None for one of another's."""
    path = ROOT.joinpath(*module.split("."))
    return next((file for file in (path.with_suffix(".py"), path / "__init__.py") if file.is_file()), None)


if __name__ == "__main__":
    Path(NAME).write_bytes(program())
    sys.stdout.write(f"{program_digest()}  {NAME}\n")
