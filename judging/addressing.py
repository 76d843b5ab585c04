"""Sentences of a dialogue that speak to its judge instead of the tester: found, marked and taken out. Pure.

A mark for people and for the probe, no protection: what protects is that the prompt quotes the dialogue as data. Linear in the
length of the text: each pattern is of words with bounded gaps.
"""

import re
import unicodedata

from dialogues.masking import LOOK_ALIKES

REMOVED = "[…]"
# Words as they are compared: small letters, full-width forms folded, marks between letters dropped.
_GAP = r"[\W_]{0,4}"
_FULL = rf"(?:full|max(?:imum|imal)?|top|highest|perfect|best){_GAP}(?:possible{_GAP})?(?:marks?|scores?|ratings?|points?|grades?)"
PATTERNS = (
    _FULL,
    r"(?:rate|score|grade|judge|evaluate)[^.!?\n]{0,40}(?:\b(?:10|5|100)\b|highest|maximum|perfect|excellent|full)",
    r"(?:ignore|disregard|forget|override)[^.!?\n]{0,30}(?:instructions?|rubric|rules?|prompts?|criteria|guidelines)",
    r"(?:system|developer|assistant)\s{0,3}(?:prompt|message|instruction|note|override)",
    r"(?:^|[\n<\[{\"'])\s{0,3}/?(?:system|inst|assistant|im_start|im_end)\b",
    r"\b(?:note|notice|message|attention|dear|to the|hey)[^.!?\n]{0,20}\b(?:judge|reviewers?|graders?|evaluators?|raters?|annotators?)\b",
    r"\byou are (?:now )?(?:a|an|the) (?:\w{1,20} ){0,3}(?:judge|grader|evaluator|reviewer)",
    r"[\"'](?:ratings?|scores?|verdicts?|evidence|satisfaction|fluency)[\"']\s{0,3}:",
    r"end of (?:the )?dialogue|dialogue ends here|</?\s{0,3}(?:dialogue|data)",
    r"(?:base64|rot13|decode)[^.!?\n]{0,40}",
    r"满分|最高分|最高评分|打高分|给[^。！？\n]{0,8}(?:五|5|10|十|高)分|好评",
    r"(?:忽略|无视|不要理会|忘记)[^。！？\n]{0,16}(?:指令|说明|规则|要求|评分标准|提示|评分表)",
    r"(?:评委|评审|评测者|评分者|评判|裁判|打分(?:者|员|模型))",
    r"系统(?:提示|消息|指令)|提示词|对话(?:到此)?结束",
    r"(?:评分|打分|评为)[^。！？\n]{0,8}(?:最高|满|优秀|完美|2|5|10)",
)  # fmt: skip
_ANY = re.compile("|".join(f"(?:{one})" for one in PATTERNS), re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?。！？\n]*(?:[.!?。！？\n]+|$)")
_INVISIBLE = dict.fromkeys(
    [*range(0x200B, 0x2010), *range(0x202A, 0x202F), 0x2060, 0x2061, 0x2062, 0x2063, 0x2064, 0xFEFF, 0x00AD, *range(0xE0000, 0xE0080)]
)  # fmt: skip


def compared(text: str) -> str:
    """The text as it is compared: compatibility forms and the look-alikes of Latin letters folded, what shows nothing dropped."""
    folded = unicodedata.normalize("NFKC", text.translate(_INVISIBLE))
    return "".join(LOOK_ALIKES.get(one, one) for one in folded)


def speaks_to_judge(text: str) -> bool:
    """Whether a sentence of the text asks for scores, names a judge, or pretends to be a part of a prompt."""
    plain = compared(text)
    return bool(_ANY.search(plain) or _ANY.search(_joined(plain)))


def cleaned(text: str) -> str:
    """The text with each such sentence replaced by `[…]`; all of it, where only the whole shows one."""
    if not speaks_to_judge(text):
        return text
    parts = [part for part in _SENTENCE.findall(text) if part]
    kept = [REMOVED if speaks_to_judge(part) else part for part in parts]
    return "".join(kept) if REMOVED in kept and not speaks_to_judge("".join(kept)) else REMOVED


def _joined(text: str) -> str:
    """Letters that were spaced out one by one, put together: `f u l l` is `full`."""
    return re.sub(r"(?<=\b\w)[ .\-_·*]{1,2}(?=\w\b)", "", text)
