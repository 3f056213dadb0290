"""A part of a suite, for one of several machines: every candidate is in exactly one of the parts."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import TypeVar

Candidate = TypeVar("Candidate", bound=Hashable)


class ShardError(ValueError):
    """What was asked for is no shard."""


@dataclass(frozen=True)
class Shard:
    index: int  # from 1
    count: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """From "2/4", the second of four; raises ShardError."""
        match = re.fullmatch(r"(\d{1,6})/(\d{1,6})", text)
        shard = cls(int(match[1]), int(match[2])) if match else cls(0, 0)
        if not 1 <= shard.index <= shard.count:
            raise ShardError(f"{text} is no shard; 2/4 is the second of four")
        return shard

    def of(self, candidates: Iterable[Candidate]) -> set[Candidate]:
        """In turn, so that those of one task, which come one after the other, and with them compilation and grading
        are shared out evenly. The same everywhere as long as the candidates are the same."""
        distinct = list(dict.fromkeys(candidates))
        if self.index > len(distinct):
            raise ShardError(f"shard {self} is empty: the candidates are only {len(distinct)}")
        return set(distinct[self.index - 1 :: self.count])

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"
