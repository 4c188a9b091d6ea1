"""Any program as an agent: it reads the prompt from stdin or a file, and prints text or stream-json."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from loopwright.errors import AgentError
from loopwright.ports import Account, Availability, Briefing, Launch, Stream
from loopwright.run.agent_options import refuse_unknown
from loopwright.run.agent_stream import AgentStream

_INTERPRETERS = {"sh", "bash", "zsh", "python", "python3", "node", "ruby", "perl"}
_HINT = 'give one: --agent-command "bash fix.sh"'


class Command:
    """The agent `command`. Options: `command`, text or a list; `shell`, to hand it to a shell."""

    automatic = False
    honours = frozenset({"model"})
    needs = frozenset[str]()

    def __init__(self, options: Mapping[str, Any]) -> None:
        refuse_unknown("command", options, ("command", "shell"))
        command = options.get("command")
        self._argv = _in_shell(command) if options.get("shell") else _split(command)
        self._started_in = Path.cwd()

    def available(self) -> Availability:
        program = self._argv[0]
        # A path that is relative means a file of the workspace, and that does not exist yet.
        if os.sep in program and not program.startswith(os.sep):
            return Availability(installed=True)
        if shutil.which(program):
            return Availability(installed=True)
        return Availability(installed=False, hint=f"`{program}` was not found: install it, or write its full path")

    def account(self) -> Account:
        return Account()

    def launch(self, briefing: Briefing) -> Launch:
        environment = {
            "LOOPWRIGHT_PROMPT_FILE": str(briefing.prompt_file),
            "LOOPWRIGHT_ITERATION": str(briefing.iteration),
        }
        if briefing.profile.model:
            environment["LOOPWRIGHT_MODEL"] = briefing.profile.model
        return Launch(argv=self._found(briefing.workspace), environment=environment, stdin=briefing.prompt_file)

    def stream(self, briefing: Briefing) -> Stream:
        return AgentStream(plain=True)

    def _found(self, workspace: Path) -> list[str]:
        """Name the script in full where it is not in git, and so not in the workspace, but in the folder we started in.

        Only the program itself: an argument may be a file that is written to, and the user's own is not to be.
        """
        place = 1 if Path(self._argv[0]).name in _INTERPRETERS and len(self._argv) > 1 else 0
        script = self._argv[place]
        here = self._started_in / script
        is_ours = os.path.isfile(here) and not os.path.exists(workspace / script)  # noqa: PTH110, PTH113 - never raise
        return [*self._argv[:place], str(here) if is_ours else script, *self._argv[place + 1 :]]


def _words(command: str) -> list[str]:
    """Split a command as a shell would; what only a shell can do is refused, since there is none."""
    signs = shlex.shlex(command, posix=False, punctuation_chars=True)
    signs.commenters = ""
    for sign in signs:
        if sign and not sign.strip("<>|&;()"):
            hint = "put it in a script, or call a shell: sh -c '…'"
            raise AgentError(f"the command `{command}` has a `{sign}`, and no shell reads it", hint)
    return shlex.split(command)


def _in_shell(command: object) -> list[str]:
    if isinstance(command, str) and command.strip():
        return ["/bin/sh", "-c", command]
    return ["/bin/sh", "-c", shlex.join(_split(command))]


def _split(command: object) -> list[str]:
    try:
        argv = _words(command) if isinstance(command, str) else command
    except ValueError as error:
        raise AgentError(f"the command `{command}` can't be split: {error}", _HINT) from None
    if not isinstance(argv, list | tuple) or not all(isinstance(word, str) for word in argv):
        raise AgentError("the agent `command` has no command", _HINT)
    if not argv or not argv[0]:
        raise AgentError("the agent `command` has an empty command", _HINT)
    return list(argv)
