"""One go of an agent: its process, its stream on the way to events, and how it ended."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from loopwright.errors import AgentError
from loopwright.guard.redact import Masker
from loopwright.guard.redact import Stream as Mask
from loopwright.ports import Agent, Briefing, Outcome
from loopwright.process.child import Child, End, PipeName
from loopwright.process.limits import Limits, readable
from loopwright.process.lines import Lines, text
from loopwright.records.budget import Budget, Spent
from loopwright.records.event import Event, EventKind
from loopwright.records.run import Ending
from loopwright.run.confinement import Surrounding
from loopwright.run.dependencies import project_path
from loopwright.run.disk import Disk
from loopwright.run.lent_files import NAME as LENT_FILES
from loopwright.run.lent_files import lend
from loopwright.run.raw_stream import RawStream
from loopwright.run.recorder import Recorder
from loopwright.run.surplus import Surplus
from loopwright.settings import LimitsSettings
from loopwright.text.complaint import unreachable
from loopwright.text.fingerprint import fingerprint
from loopwright.text.told import message

CHECK_FILE = "check.json"
"""Beside the prompt: what `loopwright check` looks for when the agent calls it."""
ATTEMPT = "LOOPWRIGHT_ATTEMPT"
"""A variable that the agent and all that it starts have: the id of the attempt."""
_STDERR_TAIL = 4000
_KEEP_S = 1.0
_COMMANDS_SHOWN = 10
_AT_WORK = {EventKind.MESSAGE, EventKind.THINKING, EventKind.TOOL_CALL, EventKind.TOOL_RESULT}
"""Whoever does this after a result goes on: it was not the final one."""


class AgentRun:
    """Starts an agent, follows it to its end and records what it does."""

    def __init__(
        self,
        agent: Agent,
        briefing: Briefing,
        recorder: Recorder,
        raw: Path,
        cancel: threading.Event,
        limits: LimitsSettings,
        disk: Disk,
        surrounding: Surrounding,
    ) -> None:
        self._agent, self._briefing, self._recorder, self._raw, self._cancel = agent, briefing, recorder, raw, cancel
        self._stream, self._disk, self._surrounding = agent.stream(briefing), disk, surrounding
        self._settings, self._limits = limits, Limits.of(limits)
        masker = Masker(os.environ)
        self._masks: dict[PipeName, Mask] = {"stdout": masker.stream(), "stderr": masker.stream()}
        self._lines: dict[PipeName, Lines] = {"stdout": Lines(), "stderr": Lines()}
        self._surplus: dict[PipeName, Surplus] = {"stdout": Surplus(), "stderr": Surplus()}
        self._stderr = ""
        self._result_at: float | None = None
        self._commands: list[str] = []
        self._denied = ""
        self._stopped = (Ending.BUDGET, "")
        self.unknown_lines = 0

    @property
    def masked(self) -> int:
        """How many secrets were masked."""
        return sum(mask.total for mask in self._masks.values())

    @contextmanager
    def start(self, attempt_id: str, repository: Path) -> Iterator[int]:
        """Get the process ready and give its id; it runs from `follow` on. Nothing of it is alive after the block."""
        launch, workspace, told = (
            self._agent.launch(self._briefing),
            self._briefing.workspace,
            self._briefing.prompt_file,
        )
        self._attempt_id, self._program = attempt_id, launch.argv[0]
        # Whoever is confined can't reach what the judge needs.
        check = {} if self._surrounding.confined else {"LOOPWRIGHT_CHECK": str(told.with_name(CHECK_FILE))}
        own = {**launch.environment, **check, ATTEMPT: attempt_id}
        environment = agent_environment(repository, workspace)
        lend(launch.files, workspace, told.with_name(LENT_FILES))
        with (
            self._surrounding.around(launch, self._briefing, environment, own) as (argv, env),
            Child(
                argv, cwd=workspace, env=env, stdin=launch.stdin, limits=self._limits, waits=True, mark=ATTEMPT
            ) as child,
        ):
            self._child = child
            yield child.pid

    def follow(self, budget: Budget, spent: Spent, keep: Callable[[Spent], str]) -> tuple[Ending, Outcome, str]:
        """Let the agent run, read it to its end, keeping to the limits; give how it ended, and why in words.

        `keep` is told now and then what this attempt has used, and says why it has to end, if it has.
        """
        began, kept, paid = time.monotonic(), time.monotonic(), 0.0
        raw = RawStream(self._raw, self._briefing.iteration, self._settings.output, self._disk)
        wall_s = max(0.0, budget.timeout_s - spent.seconds)
        try:
            self._child.go()
            for name, chunk in self._child.chunks(wall_s=wall_s, idle_s=budget.idle_timeout_s, cancel=self._cancel):
                # Here, and only here, the agent's bytes come in.
                self._come_in(raw, name, self._masks[name].feed(chunk))
                self._note_denials()
                self._keep_to(budget, spent)
                self._recorder.tick()
                tokens, cost = self._stream.usage()
                if (now := time.monotonic()) - kept > _KEEP_S or cost > paid:  # money is known late, and at once kept
                    self._stop_for(keep(Spent(1, cost, tokens, now - began)))
                    kept, paid = now, cost
            for name, mask in self._masks.items():
                self._come_in(raw, name, mask.close())
            self._take_last()
            self._note_denials()
        finally:
            raw.close()
        self._note_surplus(raw)
        self._recorder.masked([mask.counts for mask in self._masks.values()], "the agent", self._attempt_id)
        self.end: End = self._child.end
        return self._conclude(self.end)

    def _come_in(self, raw: RawStream, name: PipeName, chunk: bytes) -> None:
        raw.write(name, chunk)
        self._take(name, self._lines[name].feed(chunk))

    def _take(self, name: PipeName, lines: list[bytes]) -> None:
        if name == "stdout":
            self._read(self._surplus[name].sift(lines, self._stream.knows))
        else:
            self._hear(self._surplus[name].sift(lines, lambda _: False))

    def _take_last(self) -> None:
        """Take what no newline ended, and the last of the lines that were held back."""
        for name, lines in self._lines.items():
            self._take(name, lines.rest())
        self._read(self._surplus["stdout"].last())
        self._hear(self._surplus["stderr"].last())
        if not self._stream.plain:
            self.unknown_lines += self._surplus["stdout"].lines

    def _hear(self, lines: list[bytes]) -> None:
        for line in map(text, lines):
            self._stderr = (self._stderr + line + "\n")[-_STDERR_TAIL:]
            self._recorder.add(message(line, EventKind.STDERR), self._attempt_id)

    def _read(self, lines: list[bytes]) -> None:
        for event in (event for line in lines for event in self._stream.feed(text(line))):
            if event.kind is EventKind.RAW:
                self.unknown_lines += 1
            elif event.kind is EventKind.RESULT:
                self._result_at = time.monotonic()
            elif event.kind in _AT_WORK:
                self._result_at = None
            if event.command and event.kind is EventKind.TOOL_RESULT:
                self._commands = [*self._commands, event.command][-_COMMANDS_SHOWN:]
            self._recorder.add(event, self._attempt_id)

    def _note_denials(self) -> None:
        for words in self._surrounding.denials():
            self._denied = words
            host = words.removeprefix("it tried to reach ").partition(": denied")[0]
            event = Event(EventKind.DENIAL, words, is_error=True, data={"host": host})
            self._recorder.add(event, self._attempt_id)

    def _note_surplus(self, raw: RawStream) -> None:
        """Record how much of the output is not in the record."""
        lines = sum(surplus.lines for surplus in self._surplus.values())
        size = sum(surplus.size for surplus in self._surplus.values())
        size += sum(held.cut for held in self._lines.values())
        if size or raw.left_out:
            words = f"left out of the events: {lines:,} lines, {readable(size)}; of the raw output: "
            counts = {"lines": lines, "bytes": size, "raw_bytes": raw.left_out}
            self._recorder.add(Event(EventKind.NOTE, words + readable(raw.left_out), data=counts), self._attempt_id)
        self._recorder.trouble(raw.trouble and f"the output could not be kept: {raw.trouble}", self._attempt_id)

    def _keep_to(self, budget: Budget, spent: Spent) -> None:
        """End the agent as soon as the run's money or tokens are used up, or when it does not end by itself."""
        if self._result_at is not None and time.monotonic() - self._result_at > self._settings.after_result_s:
            self._child.request_stop("result")
        tokens, cost = self._stream.usage()
        self._stop_for(budget.exhausted(spent + Spent(0, cost, tokens)))
        if loop := self._recorder.loop(self._attempt_id):
            self._stop_for(f"it went in circles and was ended: {loop}", Ending.LOOP)

    def _stop_for(self, reason: str, ending: Ending = Ending.BUDGET) -> None:
        if reason and not self._stopped[1]:
            self._stopped = (ending, reason)
            self._child.request_stop()

    def _conclude(self, end: End) -> tuple[Ending, Outcome, str]:
        if end.missing:
            hint = "a relative path starts at the root of the clone, which holds what is committed"
            raise AgentError(f"the agent's program `{self._program}` is not there", hint)
        outcome = self._stream.outcome(0 if end.cause == "result" else end.exit_code, self._stderr)
        if words := self._limits.words(end.cause):
            return Ending.ERROR, outcome, words
        if outcome.ending is Ending.UNAVAILABLE and self._denied and unreachable(outcome.detail):
            return Ending.ERROR, outcome, f"{outcome.detail}; {self._denied}"  # no waiting opens what we keep closed
        if end.cause == "idle" and outcome.ending is Ending.UNAVAILABLE:
            return outcome.ending, outcome, outcome.detail  # it slept for as long as the model's server had told it
        ending, detail = {
            "wall": (Ending.BUDGET, "the time of the run is used up"),
            "stopped": self._stopped,
            "idle": (Ending.IDLE, "it said nothing for too long and was ended"),
            "cancelled": (Ending.CANCELLED, "interrupted"),
        }.get(end.cause, (outcome.ending, outcome.detail))
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
