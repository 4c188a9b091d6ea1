"""One go of an agent: its process, its stream on the way to events, and how it ended."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from loopwright.errors import AgentError
from loopwright.ports import Agent, Briefing, Outcome
from loopwright.process.child import Child, End
from loopwright.process.lines import Lines
from loopwright.records.budget import Budget, Spent
from loopwright.records.event import Event, EventKind
from loopwright.records.run import Ending
from loopwright.run.dependencies import project_path
from loopwright.run.recorder import RawStream, Recorder
from loopwright.text.fingerprint import fingerprint

CHECK_FILE = "check.json"
"""Beside the prompt: what `loopwright check` looks for when the agent calls it."""
_STDERR_TAIL = 4000
_KEEP_S = 1.0
_COMMANDS_SHOWN = 10


class AgentRun:
    """Starts an agent, follows it to its end and records what it does."""

    def __init__(
        self, agent: Agent, briefing: Briefing, recorder: Recorder, raw: Path, cancel: threading.Event
    ) -> None:
        self._agent, self._briefing, self._recorder, self._raw, self._cancel = agent, briefing, recorder, raw, cancel
        self._stream = agent.stream()
        self._stderr = ""
        self._commands: list[str] = []
        self._over_budget = ""
        self.unknown_lines = 0

    @contextmanager
    def start(self, attempt_id: str, repository: Path) -> Iterator[int]:
        """Start the process and give its id; nothing of it is alive when the block ends."""
        launch = self._agent.launch(self._briefing)
        self._attempt_id, self._program = attempt_id, launch.argv[0]
        check = {"LOOPWRIGHT_CHECK": str(self._briefing.prompt_file.with_name(CHECK_FILE))}
        environment = {**agent_environment(repository, self._briefing.workspace), **check, **launch.environment}
        with Child(launch.argv, cwd=self._briefing.workspace, env=environment, stdin=launch.stdin) as child:
            self._child = child
            yield child.pid

    def follow(self, budget: Budget, spent: Spent, keep: Callable[[Spent], None]) -> tuple[Ending, Outcome, str]:
        """Read the agent to its end, keeping to the limits; give how it ended, and why in words.

        `keep` is told now and then what this attempt has used.
        """
        began = kept = time.monotonic()
        raw = RawStream(self._raw, self._briefing.iteration)
        stdout, stderr = Lines(), Lines()
        wall_s = max(0.0, budget.timeout_s - spent.seconds)
        try:
            chunks = self._child.chunks(wall_s=wall_s, idle_s=budget.idle_timeout_s, cancel=self._cancel)
            for name, chunk in chunks:
                raw.write(name, chunk)
                for line in (stdout if name == "stdout" else stderr).feed(chunk):
                    self._take(name, line)
                self._keep_to(budget, spent)
                self._recorder.tick()
                if (now := time.monotonic()) - kept > _KEEP_S:
                    tokens, cost = self._stream.usage()
                    keep(Spent(1, cost, tokens, now - began))
                    kept = now
            for line in stdout.rest():
                self._take("stdout", line)
            for line in stderr.rest():
                self._take("stderr", line)
        finally:
            raw.close()
        self.end: End = self._child.end
        return self._conclude(self.end)

    def _take(self, name: str, line: str) -> None:
        if name == "stderr":
            self._stderr = (self._stderr + line + "\n")[-_STDERR_TAIL:]
            self._recorder.add(Event(EventKind.STDERR, line), self._attempt_id)
            return
        for event in self._stream.feed(line):
            if event.kind is EventKind.RAW:
                self.unknown_lines += 1
            if event.command and event.kind is EventKind.TOOL_RESULT:
                self._commands = [*self._commands, event.command][-_COMMANDS_SHOWN:]
            self._recorder.add(event, self._attempt_id)

    def _keep_to(self, budget: Budget, spent: Spent) -> None:
        """End the agent as soon as the run's money or tokens are used up."""
        tokens, cost = self._stream.usage()
        exhausted = budget.exhausted(spent + Spent(0, cost, tokens))
        if exhausted and not self._over_budget:
            self._over_budget = exhausted
            self._child.request_stop()

    def _conclude(self, end: End) -> tuple[Ending, Outcome, str]:
        if end.missing:
            hint = "a relative path starts at the root of the clone, which holds what is committed"
            raise AgentError(f"the agent's program `{self._program}` is not there", hint)
        outcome = self._stream.outcome(end.exit_code, self._stderr)
        ending, detail = {
            "wall": (Ending.BUDGET, "the time of the run is used up"),
            "stopped": (Ending.BUDGET, self._over_budget),
            "idle": (Ending.IDLE, "it said nothing for too long and was ended"),
            "cancelled": (Ending.CANCELLED, "interrupted"),
        }.get(end.cause, (Ending.ERROR if outcome.is_error else Ending.FINISHED, outcome.detail))
        if ending is Ending.ERROR and end.exit_code:
            self._recorder.add(self._exit_error(end.exit_code), self._attempt_id)
        return ending, outcome, detail

    def _exit_error(self, exit_code: int) -> Event:
        said = self._stderr.strip() or f"exit code {exit_code}"
        return Event(
            EventKind.ERROR,
            said,
            exit_code=exit_code,
            is_error=True,
            error_kind="EXIT_ERROR",
            fingerprint=fingerprint(said),
            data={"commands": self._commands},
        )


def agent_environment(repository: Path, workspace: Path) -> dict[str, str]:
    """The host's environment without what is ours or git's, and with the project's own programs first."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "LOOPWRIGHT_"))}
    # Without a git folder of its own, an agent's git would look for one further up.
    own = {"PATH": project_path(repository, workspace), "PWD": str(workspace)}
    return {**kept, **own, "GIT_CEILING_DIRECTORIES": str(workspace.parent)}
