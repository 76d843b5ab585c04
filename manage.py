#!/usr/bin/env python3
"""Runs Huace's commands: `python manage.py help` lists them."""

import sys

from config.command import run


def main() -> None:
    try:
        run()
    except ImportError as missing:
        sys.exit(
            f"{missing}. Run `make install` once, then .venv/bin/python instead of this Python (`make demo` and `make test` install more)."
        )


if __name__ == "__main__":
    main()
