"""A database that is gone for a while, busy or out of room -> calls that wait for it and are done again."""

from __future__ import annotations

import dataclasses
import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, Literal, ParamSpec, Protocol, TypeVar

from loopwright.errors import StoreError

PATIENCE_S = 120.0
"""How long a database may be gone before the work gives up."""
OPENING_S = 30.0
"""How long it may be gone at the start."""
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.02, 1.0

Trouble = Literal["gone", "full"]
"""What passes by itself: not to be reached or busy, and out of room."""
_P = ParamSpec("_P")
_T = TypeVar("_T")


class Passing(StoreError):
    """What is wrong with the store now and may be right in a moment."""

    def __init__(self, trouble: Trouble, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.trouble = trouble


def _nobody(_text: str) -> None:
    pass


@dataclass(frozen=True)
class Patience:
    """How long to wait, who can end it, and who is told."""

    for_s: float = PATIENCE_S
    """While the database is gone."""
    full_s: float = math.inf
    """While its disk is full: somebody has to make room, and until then nothing may be lost."""
    stop: threading.Event | None = None
    """Ends a wait for room on the disk; one for a database ends by itself."""
    waiting: Callable[[str], None] = _nobody
    """Told once when it begins to wait and once when it goes on."""

    def at_the_start(self) -> Patience:
        """Give the patience of somebody who has just begun and has nothing to lose."""
        return dataclasses.replace(self, for_s=min(self.for_s, OPENING_S), full_s=min(self.full_s, OPENING_S))

    def keep_trying(self, call: Callable[[], _T]) -> _T:
        """Call until it works or what is wrong does not pass."""
        try:
            return call()
        except Passing as error:
            return self._after(error, call)

    def _after(self, error: Passing, call: Callable[[], _T]) -> _T:
        began, pause = time.monotonic(), _FIRST_PAUSE_S
        self.waiting(f"{error.message}; waiting until it can")
        while not self._given_up(error, began, pause):
            pause = min(pause * 2, _LONGEST_PAUSE_S)
            try:
                result = call()
            except Passing as again:
                began = time.monotonic() if again.trouble != error.trouble else began
                error = again
            else:
                self.waiting("the store can be used again; going on")
                return result
        raise error

    def _given_up(self, error: Passing, began: float, pause: float) -> bool:
        if time.monotonic() - began > (self.full_s if error.trouble == "full" else self.for_s):
            return True
        time.sleep(pause)
        return error.trouble == "full" and self.stop is not None and self.stop.is_set()


class _HasPatience(Protocol):
    @property
    def patience(self) -> Patience: ...


_Owner = TypeVar("_Owner", bound=_HasPatience)


def patient(method: Callable[Concatenate[_Owner, _P], _T]) -> Callable[Concatenate[_Owner, _P], _T]:
    """Do a whole method again while its database is gone: what it writes must not double, see `insert_once`."""

    @wraps(method)
    def trying(self: _Owner, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return self.patience.keep_trying(lambda: method(self, *args, **kwargs))

    return trying
