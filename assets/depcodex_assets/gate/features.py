"""Sentences as hashed n-grams and cue bits, many at once in numpy.

Here: the one feature recipe that training and judging share. Not here: weights, calibration
(depcodex_assets.gate.model).

A *window* is one sentence, or two neighbours of one view. Its features are character 3- to 5-grams, word 1- to 3-grams
and pairs with one word between, each hashed into a fixed number of buckets, and the cue classes of
depcodex_assets.gate.cues. Counts are divided by the square root of the window's length, so that neither a long nor a
short sentence wins by length.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from depcodex_assets.gate import cues

CHARACTER_BUCKETS = 1 << 20
WORD_BUCKETS = 1 << 20
CHARACTER_LENGTHS = (3, 4, 5)
# Below these lengths a window counts as this long; a two-letter sentence would weigh too much otherwise.
_MIN_CHARACTERS = 40
_MIN_WORDS = 8
_URL_PATTERN = re.compile(r"\b[a-z][a-z0-9+.\-]{1,12}://[^\s)>\]\"']*")
_URL_WITH_SLOT_PATTERN = re.compile(r"[{<$%(]")
_EMAIL_PATTERN = re.compile(r"[\w.+\-]+@[\w\-]+(?:\.[\w\-]+)+")
_BLOB_PATTERN = re.compile(r"[a-z0-9+/=_\-]{48,}")
_FOREIGN_PATTERN = re.compile(r"[^\W\d_a-z]{2}|[\u3040-\u9fff]")
_ODD_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15 | 1)

IntArray = npt.NDArray[np.int64]
HashArray = npt.NDArray[np.uint64]


@dataclass(frozen=True)
class Reading:
    """The sentences of one view of one text.

    Attributes:
        sentences: folded, white space collapsed.
        is_hidden: the view was decoded or pulled out of a hidden place.
    """

    sentences: Sequence[str]
    is_hidden: bool = False


@dataclass(frozen=True)
class Windows:
    """All windows of a batch of readings, as positions into shared arrays.

    Attributes:
        reading: for each window the position of its reading; shape (windows,).
        sentence: for each window its first sentence's position in the reading; shape (windows,).
        character_span, word_span: start and end in the shared arrays; shape (windows, 2).
        character_hashes: by n-gram length, buckets of the n-gram that starts at each character.
        word_hashes: buckets of unigrams, bigrams, gapped pairs and trigrams that start at each word; with the number of
            words each one spans.
        cue_bits: cue classes that occur in each window; shape (windows,).
    """

    reading: IntArray
    sentence: IntArray
    character_span: IntArray
    word_span: IntArray
    character_hashes: dict[int, IntArray]
    word_hashes: list[tuple[int, IntArray]]
    cue_bits: HashArray

    def __len__(self) -> int:
        return len(self.reading)

    def groups(self) -> Iterator[tuple[IntArray, IntArray, IntArray, int, npt.NDArray[np.float64]]]:
        """Each n-gram family: buckets, first and one-past-last position by window, column offset, divisor by window."""
        characters = self.character_span[:, 1] - self.character_span[:, 0]
        divisor = np.sqrt(np.maximum(characters, _MIN_CHARACTERS))
        for length, hashes in self.character_hashes.items():
            first = self.character_span[:, 0]
            yield hashes, first, np.maximum(self.character_span[:, 1] - length + 1, first), 0, divisor
        words = self.word_span[:, 1] - self.word_span[:, 0]
        divisor = np.sqrt(np.maximum(words, _MIN_WORDS))
        for reach, hashes in self.word_hashes:
            first = self.word_span[:, 0]
            yield hashes, first, np.maximum(self.word_span[:, 1] - reach + 1, first), CHARACTER_BUCKETS, divisor

    def cue_matrix(self) -> npt.NDArray[np.float32]:
        """1.0 where a cue class occurs in a window; shape (windows, classes)."""
        positions = np.arange(len(cues.NAMES), dtype=np.uint64)
        return ((self.cue_bits[:, None] >> positions) & np.uint64(1)).astype(np.float32)


def make_windows(readings: Sequence[Reading]) -> Windows:
    """The windows of ``readings``: every sentence, and every two neighbours, in the order of the readings."""
    texts = [_neutral(sentence) for reading in readings for sentence in reading.sentences]
    reading_of = np.repeat(np.arange(len(readings)), [len(reading.sentences) for reading in readings])
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    ends = np.cumsum(lengths + 1) - 1 if len(texts) else lengths
    starts = ends - lengths
    codes = np.frombuffer("\n".join(texts).encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.uint64)
    codes[codes == 10] = 32
    word_starts, word_ends = _find_words(codes)
    word_span = np.stack([np.searchsorted(word_starts, starts), np.searchsorted(word_starts, ends)], axis=1)
    word_hashes = _hash_words(codes, word_starts, word_ends)
    hidden = np.array([reading.is_hidden for reading in readings], dtype=bool)
    bits = _sentence_bits(word_hashes, word_span)
    bits |= np.where(hidden[reading_of], np.uint64(cues.BITS["is_hidden"]), np.uint64(0))
    is_foreign = np.array([_is_foreign(text) for text in texts], dtype=bool)
    bits |= np.where(is_foreign, np.uint64(cues.BITS["is_foreign"]), np.uint64(0))

    sentence_count = len(texts)
    first_of_reading = np.searchsorted(reading_of, np.arange(len(readings)))
    sentence_of = np.arange(sentence_count) - first_of_reading[reading_of]
    left = np.flatnonzero(reading_of[1:] == reading_of[:-1]) if sentence_count else np.zeros(0, dtype=np.int64)
    right = left + 1
    character_span = np.stack([starts, ends], axis=1)
    return Windows(
        reading=np.concatenate([reading_of, reading_of[left]]),
        sentence=np.concatenate([sentence_of, sentence_of[left]]),
        character_span=np.concatenate([character_span, np.stack([starts[left], ends[right]], axis=1)]),
        word_span=np.concatenate([word_span, np.stack([word_span[left, 0], word_span[right, 1]], axis=1)]),
        character_hashes=_hash_characters(codes),
        word_hashes=_hash_word_groups(word_hashes),
        cue_bits=np.concatenate([bits, bits[left] | bits[right]]),
    )


def _is_foreign(sentence: str) -> bool:
    """Whether letters stand in it that are no Latin ones; box drawings, arrows and mathematical signs are none."""
    return not sentence.isascii() and _FOREIGN_PATTERN.search(sentence) is not None


def _neutral(sentence: str) -> str:
    """The sentence with addresses and opaque runs as one word each: a host's spelling says nothing about intent."""
    if "://" in sentence:
        sentence = _URL_PATTERN.sub(_neutral_url, sentence)
    if "@" in sentence:
        sentence = _EMAIL_PATTERN.sub("emailtok", sentence)
    if len(sentence) > 48:
        sentence = _BLOB_PATTERN.sub("blobtok", sentence)
    return sentence


def _neutral_url(match: re.Match[str]) -> str:
    return "urltok urlslot" if _URL_WITH_SLOT_PATTERN.search(match.group()) else "urltok"


@functools.cache
def _is_word_character() -> npt.NDArray[np.bool_]:
    """Whether a code below 65536 stands in a word."""
    table = np.zeros(0x10000, dtype=bool)
    for code in range(0x80):
        table[code] = chr(code).isalnum() or chr(code) == "_"
    for code in range(0x80, 0x10000):
        table[code] = chr(code).isalnum()
    return table


def _find_words(codes: HashArray) -> tuple[IntArray, IntArray]:
    """Starts and ends of words; an ideograph or kana is a word of its own."""
    clipped = np.minimum(codes, np.uint64(0xFFFF)).astype(np.int64)
    # Codes above the basic plane are letters of rare scripts or symbols; either way they part words.
    inside = _is_word_character()[clipped] & (codes < np.uint64(0x10000))
    alone = inside & (clipped >= 0x3040) & (clipped < 0xA000)
    before = np.concatenate([[False], inside[:-1]])
    alone_before = np.concatenate([[False], alone[:-1]])
    after = np.concatenate([inside[1:], [False]])
    alone_after = np.concatenate([alone[1:], [False]])
    starts = np.flatnonzero(inside & (~before | alone | alone_before))
    ends = np.flatnonzero(inside & (~after | alone | alone_after)) + 1
    return starts, ends


@functools.lru_cache(maxsize=4)
def _powers(size: int) -> tuple[HashArray, HashArray]:
    """Powers of the multiplier modulo 2**64, and of its inverse, from 0 to ``size`` - 1."""
    multiplier = int(_ODD_MULTIPLIER)
    inverse = pow(multiplier, -1, 1 << 64)
    up = np.full(size, multiplier, dtype=np.uint64)
    down = np.full(size, inverse, dtype=np.uint64)
    up[0] = down[0] = 1
    return np.cumprod(up, dtype=np.uint64), np.cumprod(down, dtype=np.uint64)


def _hash_words(codes: HashArray, starts: IntArray, ends: IntArray) -> HashArray:
    """A 64-bit hash of each word, independent of where it stands."""
    size = 1 << max(12, int(len(codes) + 1).bit_length())
    up, down = _powers(size)
    prefix = np.zeros(len(codes) + 1, dtype=np.uint64)
    np.cumsum((codes + np.uint64(7)) * up[: len(codes)], out=prefix[1:])
    return _mix((prefix[ends] - prefix[starts]) * down[starts] + (ends - starts).astype(np.uint64))


def _mix(values: HashArray) -> HashArray:
    values = (values ^ (values >> np.uint64(31))) * np.uint64(0xBF58476D1CE4E5B9)
    return values ^ (values >> np.uint64(29))


def _hash_word_groups(words: HashArray) -> list[tuple[int, IntArray]]:
    salted = words * np.uint64(0x94D049BB133111EB)
    groups: list[tuple[int, HashArray]] = [(1, words)]
    groups.append((2, salted[:-1] + words[1:]))
    groups.append((3, _mix(salted[:-2] + np.uint64(3)) + words[2:]))
    groups.append((3, _mix(salted[:-2] + words[1:-1]) * np.uint64(0x94D049BB133111EB) + words[2:]))
    return [(reach, (_mix(values) % np.uint64(WORD_BUCKETS)).astype(np.int64)) for reach, values in groups]


def _hash_characters(codes: HashArray) -> dict[int, IntArray]:
    shaped = codes.copy()
    shaped[(codes >= 48) & (codes <= 57)] = 48
    hashes: dict[int, IntArray] = {}
    rolling = shaped
    for length in range(2, max(CHARACTER_LENGTHS) + 1):
        rolling = rolling[:-1] * np.uint64(0x100000001B3) + shaped[length - 1 :]
        if length in CHARACTER_LENGTHS:
            hashes[length] = (_mix(rolling + np.uint64(length)) % np.uint64(CHARACTER_BUCKETS)).astype(np.int64)
    return hashes


@functools.cache
def _cue_lexicon() -> tuple[HashArray, HashArray]:
    """Sorted word hashes and the cue bits of each."""
    bits = cues.word_bits()
    text = "\n".join(bits)
    codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    lengths = np.array([len(word) for word in bits], dtype=np.int64)
    ends = np.cumsum(lengths + 1) - 1
    hashes = _hash_words(codes, ends - lengths, ends)
    order = np.argsort(hashes)
    return hashes[order], np.fromiter(bits.values(), dtype=np.uint64, count=len(bits))[order]


def _sentence_bits(words: HashArray, word_span: IntArray) -> HashArray:
    lexicon, bits = _cue_lexicon()
    position = np.minimum(np.searchsorted(lexicon, words), len(lexicon) - 1)
    word_bits = np.where(lexicon[position] == words, bits[position], np.uint64(0))
    if not len(word_span):
        return np.zeros(0, dtype=np.uint64)
    padded = np.concatenate([word_bits, np.zeros(1, dtype=np.uint64)])
    # Sentences follow one another, so the next one's first word ends this one's.
    combined = np.bitwise_or.reduceat(padded, word_span[:, 0])
    return np.where(word_span[:, 0] < word_span[:, 1], combined, np.uint64(0))
