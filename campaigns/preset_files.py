"""The presets that are shipped: one file per evaluation of the papers, named for the preset."""

from pathlib import Path

PRESET_FILES = {path.stem: path for path in sorted(Path(__file__).with_name("presets").glob("*.toml"))}
