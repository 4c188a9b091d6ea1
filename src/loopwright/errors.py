"""One tree of errors. Each says what happened and, in its hint, what to do next.

    LoopwrightError          exit 1
    ├── UsageError           exit 2: what was asked for can't be meant
    │   ├── TaskError        a task that can't be run: no criterion, a malformed file
    │   ├── SettingError     a setting that does not exist or has the wrong value
    │   └── UnknownName      a name that nothing answers to, with the nearest ones
    └── SetupError           exit 1: the machine or the repository is not ready
        ├── RepositoryError  not a git repository, no commits, git failed
        ├── AgentError       no agent, or one that can't be started
        ├── ModelError       a model that can't be asked, or whose answer does not fit
        ├── RegistryError    a registry of prompts that can't be reached, or says what is not understood
        ├── StoreError       a store that can't be opened or is from a newer version
        └── BusyError        somebody else is at work there
            └── LeaseLost    and has taken over what was ours

Expected endings (criteria unmet, a limit reached) are values on the record, not errors.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class LoopwrightError(Exception):
    """Anything that Loopwright refuses or can't do."""

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\nhint: {self.hint}" if self.hint else self.message


class UsageError(LoopwrightError):
    """What was asked for can't be meant."""

    exit_code = 2


class TaskError(UsageError):
    """A task that can't be run; `field` names the part of it, where it is one."""

    def __init__(self, message: str, hint: str = "", field: str = "") -> None:
        super().__init__(message, hint)
        self.field = field


class SettingError(UsageError):
    """A setting that does not exist or has the wrong value."""


class UnknownName(UsageError):
    """A name that nothing answers to."""

    def __init__(self, what: str, name: str, known: Iterable[str], hint: str = "", of: str = "") -> None:
        names = sorted(known)
        near = difflib.get_close_matches(name, names, n=1)
        guess = f"did you mean `{near[0]}`? " if near else ""
        listed = f"known: {', '.join(names)}" if names else "there is none yet"
        super().__init__(f"there is no {what} `{name}`{f' of {of}' if of else ''}", f"{guess}{hint or listed}")


class SetupError(LoopwrightError):
    """The machine or the repository is not ready."""


class RepositoryError(SetupError):
    """Not a git repository, no commits, or git failed."""


class AgentError(SetupError):
    """No agent, or one that can't be started."""


class ModelError(SetupError):
    """A model that can't be asked, or whose answer does not fit."""


class RegistryError(SetupError):
    """A registry of prompts that can't be reached, or says what is not understood."""


class StoreError(SetupError):
    """A store that can't be opened, or is from a newer version."""


class BusyError(SetupError):
    """Somebody else is at work there."""


class LeaseLost(BusyError):
    """Somebody else has taken over what was ours."""
