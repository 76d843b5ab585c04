"""The scripted model of examples/models on a port of its own, in a thread."""

import importlib.util
import threading
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "examples" / "models" / "scripted_model.py"


def load():
    spec = importlib.util.spec_from_file_location("scripted_model", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


scripted = load()


@contextmanager
def scripted_model():
    """The server's port; it answers until the block ends."""
    with ThreadingHTTPServer(("127.0.0.1", 0), scripted.Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()
