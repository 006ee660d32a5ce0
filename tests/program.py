"""The program as tests run it: in its own process."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

NOW = "2026-03-02T09:00:00+01:00"


@dataclass(frozen=True)
class Ran:
    """What one run of the program came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.out)


Recall = Callable[..., Ran]
