"""Sentence vectors, BERTScore and BLEURT from models that lie in a folder of this machine (MSDE; extra `models`).

Nothing is ever fetched: a path that holds no model is an error in words. The libraries are loaded only here.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from measures.automatic.text import bert_score, cosine

BATCH = 32


class NoModel(ValueError):
    """The folder or the libraries that a model-based measure needs are missing; the message says which."""


class Encoder:
    """A transformer encoder in a local folder that gives contextual vectors of tokens."""

    def __init__(self, path: str) -> None:
        self._torch, transformers = _libraries()
        with _loading(path):
            self._tokenizer = transformers.AutoTokenizer.from_pretrained(path, local_files_only=True)
            self._model = transformers.AutoModel.from_pretrained(path, local_files_only=True).eval()

    def token_vectors(self, texts: Sequence[str]) -> Iterator[NDArray[np.float64]]:
        """For each text the last layer's vectors `(n_tokens, n_dimensions)`, without the special tokens."""
        for batch in _batches(texts):
            encoded = self._tokenizer(
                list(batch), padding=True, truncation=True, return_tensors="pt", return_special_tokens_mask=True
            )
            special = encoded.pop("special_tokens_mask").bool().numpy()
            with self._torch.no_grad():
                states = self._model(**encoded).last_hidden_state.double().numpy()
            for row, is_special in zip(states, special, strict=True):
                yield row[~is_special]


def bert_scores(references: Sequence[str], responses: Sequence[str], path: str) -> list[tuple[float, float, float]]:
    """BERTScore precision, recall and F1 per item, of the last layer of the encoder in `path`."""
    encoder = Encoder(path)
    vectors = zip(encoder.token_vectors(references), encoder.token_vectors(responses), strict=True)
    return [bert_score(reference, response) for reference, response in vectors]


def sentence_similarities(references: Sequence[str], responses: Sequence[str], path: str) -> list[float]:
    """Per item the cosine of the mean-pooled sentence vectors of the encoder in `path`; 0 for an empty text. −1…1.

    Stands where MSDE used skip-thought vectors, whose published models know English only.
    """
    encoder = Encoder(path)
    pairs = zip(encoder.token_vectors(references), encoder.token_vectors(responses), strict=True)
    return [
        cosine(theirs.mean(axis=0), ours.mean(axis=0)) if len(theirs) and len(ours) else 0.0 for theirs, ours in pairs
    ]


def bleurt_scores(references: Sequence[str], responses: Sequence[str], path: str) -> list[float]:
    """Per item the one output of a regression model over (reference, response) in `path` (Sellam et al. 2020)."""
    torch, transformers = _libraries()
    with _loading(path):
        tokenizer = transformers.AutoTokenizer.from_pretrained(path, local_files_only=True)
        model = transformers.AutoModelForSequenceClassification.from_pretrained(path, local_files_only=True).eval()
    if model.config.num_labels != 1:
        raise NoModel(f"The model in {path} has {model.config.num_labels} outputs; BLEURT has one.")
    scores: list[float] = []
    for batch in _batches(list(zip(references, responses, strict=True))):
        encoded = tokenizer(
            [reference for reference, _ in batch],
            [response for _, response in batch],
            padding=True,
            truncation=True,
            return_tensors="pt",
        )
        with torch.no_grad():
            scores += model(**encoded).logits[:, 0].tolist()
    return scores


def _batches(rows: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(rows), BATCH):
        yield rows[start : start + BATCH]


def _libraries() -> tuple[Any, Any]:
    try:
        import torch
        import transformers
    except ImportError as missing:
        raise NoModel("Model-based measures need the extra `models`: pip install 'huace[models]'.") from missing
    return torch, transformers


@contextmanager
def _loading(path: str) -> Iterator[None]:
    if not (Path(path) / "config.json").is_file():
        raise NoModel(f"{path} is not a folder with a model: it holds no config.json.")
    try:
        yield
    except (OSError, ValueError, KeyError) as broken:
        raise NoModel(f"The model in {path} cannot be loaded: {broken}") from broken
