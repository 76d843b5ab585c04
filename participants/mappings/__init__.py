"""Home-made protocols said in data: a JSON template for the request, and paths (JMESPath) to what is read from the answer. Pure.

paths.py       one path: compiled, bounded, applied
steps.py       what paths cost as they are applied, and where that ends
templates.py   what is sent: JSON and headers with placeholders
mapping.py     both together, as the options of the protocol `mapping` say it
presets.py     mappings that are offered to start from, and those that are protocols of their own
"""

from participants.mappings.mapping import MAPPING_OPTIONS, Mapping, check_mapping, mapping_of, problems_of
from participants.mappings.presets import PRESETS, Preset

__all__ = ["MAPPING_OPTIONS", "PRESETS", "Mapping", "Preset", "check_mapping", "mapping_of", "problems_of"]
