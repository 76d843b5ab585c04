"""Why something about getting in is not possible; each code has its sentence in `registration/messages.py`."""


class NotPossible(Exception):
    """Nothing was changed. `code` says why, `values` what its sentence names."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code)
        self.code, self.values = code, values
