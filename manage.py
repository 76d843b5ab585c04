#!/usr/bin/env python3
"""Runs Huace's commands: `python manage.py help` lists them."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError as missing:
        sys.exit(f"{missing}. Run `make demo` or `make test` once: it installs what Huace needs into .venv.")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
