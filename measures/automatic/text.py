"""Automatic metrics of generated responses against one reference each (MSDE).

Every function takes tokens: what a token is, is decided by a declared tokenizer, whose name belongs to the result.
Figures are means over the items unless the docstring says otherwise. F1 is that of shared tokens;
BLEU by Papineni et al. 2002 through sacrebleu; DIST by Li et al. 2016; METEOR by Banerjee and Lavie 2005, ROUGE-L by
Lin 2004 and CIDEr by Vedantam et al. 2015 are ours, since the usual packages split English words and know no Chinese;
embedding average, vector extrema and greedy matching by Liu et al. 2016.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from math import log, sqrt

import numpy as np
from numpy.typing import NDArray
from sacrebleu.metrics.bleu import BLEU

Tokens = Sequence[str]
Vectors = Mapping[str, NDArray[np.float32]]
Tokenizer = Callable[[str], list[str]]

ROUGE_BETA = 1.2
CIDER_NGRAMS = 4
CIDER_SCALE = 10.0


def characters(text: str) -> list[str]:
    """Every character but blanks is a token."""
    return list("".join(text.split()))


def words(text: str) -> list[str]:
    """Tokens as they stand between blanks, for texts that are segmented already."""
    return text.split()


def jieba_words(text: str) -> list[str]:
    """Words of the jieba segmenter with its own dictionary. Needs the extra `chinese`."""
    import logging

    import jieba

    jieba.setLogLevel(logging.WARNING)
    return [word for word in jieba.lcut(text) if word.strip()]


TOKENIZERS: dict[str, Tokenizer] = {"characters": characters, "jieba": jieba_words, "whitespace": words}


def token_f1(reference: Tokens, response: Tokens) -> float:
    """2 · shared/(reference + response), tokens counted as often as they stand; 0 for silence. 0…1."""
    n_both = len(reference) + len(response)
    return 2 * (Counter(reference) & Counter(response)).total() / n_both if n_both else 0.0


@lru_cache
def _bleu_counter(max_ngram: int) -> BLEU:
    return BLEU(max_ngram_order=max_ngram, tokenize="none", smooth_method="none", effective_order=True, force=True)


def bleu_tally(reference: Tokens, response: Tokens, max_ngram: int) -> list[int]:
    """Clipped matches, totals (both for the n-grams 1…max), and the lengths of response and reference.

    Tallies of items add up to the corpus's.
    """
    counted = _bleu_counter(max_ngram).sentence_score(_joined(response), [_joined(reference)])
    return [*counted.counts, *counted.totals, counted.sys_len, counted.ref_len]


def bleu_of(tally: Sequence[float], max_ngram: int) -> float:
    """Corpus BLEU-n of added-up tallies, n = `max_ngram`, unsmoothed, with brevity penalty. 0…1."""
    *counts, n_response, n_reference = [round(count) for count in tally]
    score = BLEU.compute_bleu(
        correct=counts[:max_ngram],
        total=counts[max_ngram:],
        sys_len=n_response,
        ref_len=n_reference,
        smooth_method="none",
        max_ngram_order=max_ngram,
    )
    return float(score.score) / 100


def _joined(tokens: Tokens) -> str:
    return " ".join(tokens)


def bleu(references: Sequence[Tokens], responses: Sequence[Tokens], max_ngram: int) -> float:
    """Corpus BLEU-n with one reference per response. 0…1."""
    tallies = [bleu_tally(*pair, max_ngram) for pair in zip(references, responses, strict=True)]
    return bleu_of([sum(column) for column in zip(*tallies, strict=True)], max_ngram) if tallies else 0.0


def distinct(responses: Sequence[Tokens], n: int) -> float:
    """DIST-n of the corpus: different n-grams over all n-grams of the responses; 0 without any. 0…1."""
    counted: Counter[tuple[str, ...]] = Counter()
    for response in responses:
        counted.update(_ngrams(response, n))
    return len(counted) / counted.total() if counted else 0.0


def meteor(reference: Tokens, response: Tokens) -> float:
    """Fmean · (1 − penalty) with exact matches: Fmean = 10PR/(R + 9P), penalty = 0.5 · (chunks/matches)³. 0…1.

    Stems and synonyms do not exist for Chinese characters, so only the first stage of METEOR remains. Runs are taken
    from left to right, each as long as it goes, which need not give the smallest possible number of chunks.
    """
    n_matches, n_chunks = _runs(reference, response)
    if not n_matches:
        return 0.0
    precision, recall = n_matches / len(response), n_matches / len(reference)
    f_mean = 10 * precision * recall / (recall + 9 * precision)
    return f_mean * (1 - 0.5 * (n_chunks / n_matches) ** 3)


def _runs(reference: Tokens, response: Tokens) -> tuple[int, int]:
    """How many tokens of the response match one of the reference each, and in how many contiguous runs."""
    free: dict[str, list[int]] = {}
    for place, token in enumerate(reference):
        free.setdefault(token, []).append(place)
    taken = [False] * len(reference)
    n_matches = n_runs = at = 0
    while at < len(response):
        starts = [place for place in free.get(response[at], ()) if not taken[place]]
        if not starts:
            at += 1
            continue
        start = max(starts, key=lambda place: _run_length(reference, place, taken, response, at))
        length = _run_length(reference, start, taken, response, at)
        taken[start : start + length] = [True] * length
        n_matches += length
        n_runs += 1
        at += length
    return n_matches, n_runs


def _run_length(reference: Tokens, start: int, taken: Sequence[bool], response: Tokens, at: int) -> int:
    length = 0
    while (
        start + length < len(reference)
        and at + length < len(response)
        and not taken[start + length]
        and reference[start + length] == response[at + length]
    ):
        length += 1
    return length


def rouge_l(reference: Tokens, response: Tokens, beta: float = ROUGE_BETA) -> float:
    """(1 + β²)RP/(R + β²P) with P and R the longest common subsequence over each length; β = 1.2. 0…1."""
    common = _longest_common_subsequence(reference, response)
    if not common:
        return 0.0
    precision, recall = common / len(response), common / len(reference)
    return (1 + beta**2) * precision * recall / (recall + beta**2 * precision)


def _longest_common_subsequence(left: Tokens, right: Tokens) -> int:
    """Its length, by rows of bits: one addition per token of `right`, a clear bit where a row grows (Hyyrö 2004)."""
    places: dict[str, int] = {}
    for place, token in enumerate(left):
        places[token] = places.get(token, 0) | 1 << place
    everything = (1 << len(left)) - 1
    row = everything
    for token in right:
        matches = row & places.get(token, 0)
        row = (row + matches | row - matches) & everything
    return len(left) - row.bit_count()


def cider(references: Sequence[Tokens], responses: Sequence[Tokens]) -> list[float]:
    """Per item 10 · the mean over n = 1…4 of the cosines of tf–idf vectors of n-grams. 0…10.

    idf = log(items/items whose reference holds the n-gram), at least 1 of them; so a corpus of one item scores 0. This
    is CIDEr as first defined, without the clipping and length penalty of CIDEr-D.
    """
    documents: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        for n in range(1, CIDER_NGRAMS + 1):
            documents.update(set(_ngrams(reference, n)))
    n_items = len(references)

    def weighted(tokens: Tokens, n: int) -> dict[tuple[str, ...], float]:
        counted = Counter(_ngrams(tokens, n))
        total = counted.total()
        return {ngram: count / total * log(n_items / max(1, documents[ngram])) for ngram, count in counted.items()}

    return [
        CIDER_SCALE
        * sum(_sparse_cosine(weighted(reference, n), weighted(response, n)) for n in range(1, CIDER_NGRAMS + 1))
        / CIDER_NGRAMS
        for reference, response in zip(references, responses, strict=True)
    ]


def _sparse_cosine(left: Mapping[tuple[str, ...], float], right: Mapping[tuple[str, ...], float]) -> float:
    product = sum(weight * right.get(ngram, 0.0) for ngram, weight in left.items())
    norms = sqrt(sum(w * w for w in left.values())) * sqrt(sum(w * w for w in right.values()))
    return product / norms if norms else 0.0


def _ngrams(tokens: Tokens, n: int) -> list[tuple[str, ...]]:
    return [tuple(tokens[start : start + n]) for start in range(len(tokens) - n + 1)]


# -- with word vectors -------------------------------------------------------------------------------------------


def _matrix(tokens: Tokens, vectors: Vectors) -> NDArray[np.float64] | None:
    """One row for each token that has a vector; None if none has."""
    known = [vectors[token] for token in tokens if token in vectors]
    return np.asarray(known, dtype=np.float64) if known else None


def cosine(left: NDArray[np.float64], right: NDArray[np.float64]) -> float:
    norm = float(np.linalg.norm(left) * np.linalg.norm(right))
    return float(left @ right) / norm if norm else 0.0


def embedding_average(reference: Tokens, response: Tokens, vectors: Vectors) -> float:
    """Cosine of the mean vectors of both texts; 0 where a text has no known token. −1…1."""
    ours, theirs = _matrix(response, vectors), _matrix(reference, vectors)
    return cosine(ours.mean(axis=0), theirs.mean(axis=0)) if ours is not None and theirs is not None else 0.0


def vector_extrema(reference: Tokens, response: Tokens, vectors: Vectors) -> float:
    """Cosine of the vectors made of the most extreme value in each dimension; 0 without known tokens. −1…1."""
    ours, theirs = _matrix(response, vectors), _matrix(reference, vectors)
    return cosine(_extrema(ours), _extrema(theirs)) if ours is not None and theirs is not None else 0.0


def _extrema(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    highest, lowest = rows.max(axis=0), rows.min(axis=0)
    return np.where(highest >= np.abs(lowest), highest, lowest)


def greedy_matching(reference: Tokens, response: Tokens, vectors: Vectors) -> float:
    """Mean over both directions of the mean, over tokens, of the best cosine on the other side. −1…1."""
    ours, theirs = _matrix(response, vectors), _matrix(reference, vectors)
    if ours is None or theirs is None:
        return 0.0
    cosines = _unit(ours) @ _unit(theirs).T
    return float((cosines.max(axis=1).mean() + cosines.max(axis=0).mean()) / 2)


def bert_score(reference: NDArray[np.float64], response: NDArray[np.float64]) -> tuple[float, float, float]:
    """Precision, recall and F1 of greedily matched contextual token vectors, rows `(n_tokens, n_dimensions)`.

    Without idf weights or baseline rescaling. A side without tokens gives 0. Source: Zhang et al. 2020, BERTScore.
    """
    if not len(reference) or not len(response):
        return 0.0, 0.0, 0.0
    cosines = _unit(response) @ _unit(reference).T
    precision, recall = float(cosines.max(axis=1).mean()), float(cosines.max(axis=0).mean())
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def _unit(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(norms == 0, 1, norms)


def read_vectors(lines: Iterable[str], wanted: set[str] | None = None) -> Vectors:
    """Word vectors of a text file: a token and its numbers a line, an optional head line with two counts.

    `wanted` keeps only those tokens. Errors: `ValueError` with the number of the first line that does not fit.
    """
    vectors: dict[str, NDArray[np.float32]] = {}
    n_dimensions = 0
    for number, line in enumerate(lines, start=1):
        parts = line.rstrip().split(" ")
        if number == 1 and len(parts) == 2:
            continue
        try:
            row = np.array(parts[1:], dtype=np.float32)
        except ValueError:
            row = np.array([], dtype=np.float32)
        n_dimensions = n_dimensions or len(row)
        if not n_dimensions or len(row) != n_dimensions or not np.isfinite(row).all():
            raise ValueError(f"line {number} does not hold a token and {n_dimensions or 'its'} numbers")
        if wanted is None or parts[0] in wanted:
            vectors[parts[0]] = row
    return vectors
