import os

from tests.real_bots.installing import HERE


def pytest_ignore_collect(collection_path, config):
    """Only who asks for them installs servers."""
    return True if "real_bots" not in (config.option.markexpr or "") and HERE in collection_path.parents else None


def pytest_configure(config):
    # Gradio and litellm ask for news at their start.
    os.environ |= {"GRADIO_ANALYTICS_ENABLED": "False", "LITELLM_LOCAL_MODEL_COST_MAP": "True", "DO_NOT_TRACK": "1"}
