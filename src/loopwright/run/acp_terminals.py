"""Commands that an agent has us run, over the Agent Client Protocol: started, asked for, waited for, ended."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path

from loopwright.process.child import Child
from loopwright.process.command import GRACE_S, MARK
from loopwright.process.lines import decode

OUTPUT_LIMIT = 1_000_000
COMMAND_S = 1800.0


class Terminal:
    """A command and what it has printed. Its tail is kept, as the protocol has it."""

    def __init__(self, argv: Sequence[str], folder: Path, environment: Mapping[str, str], limit: int) -> None:
        self._argv, self._folder, self._environment, self._limit = argv, folder, environment, limit
        self._output, self._ending, self._lock = b"", threading.Event(), threading.Lock()
        self.truncated, self.ended = False, False
        self.exit_code: int | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def output(self) -> str:
        with self._lock:
            return decode(self._output)

    def wait(self) -> None:
        """Wait until it has ended, with all that it started."""
        self._thread.join()

    def kill(self) -> None:
        """End it; what it printed can still be asked for."""
        self._ending.set()

    def _run(self) -> None:
        environment = {**self._environment, MARK: uuid.uuid4().hex}
        try:
            with Child(self._argv, cwd=self._folder, env=environment, grace_s=GRACE_S, merge=True, mark=MARK) as child:
                for _, chunk in child.chunks(wall_s=COMMAND_S, cancel=self._ending):
                    self._keep(chunk)
            self.exit_code = 127 if child.end.missing else child.end.exit_code
        except OSError as error:
            self._keep(str(error).encode())
            self.exit_code = 127
        self.ended = True

    def _keep(self, chunk: bytes) -> None:
        with self._lock:
            output = self._output + chunk
            self.truncated = self.truncated or len(output) > self._limit
            self._output = output[-self._limit :]


class Terminals:
    """All commands of one session, by their ids."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment, self._open = environment, dict[str, Terminal]()

    def create(
        self, command: str, arguments: Sequence[str], variables: Mapping[str, str], folder: Path, limit: int | None
    ) -> str:
        """Start a command and give its id; one without arguments may be a whole line of a shell."""
        argv = [command, *arguments] if arguments else ["/bin/sh", "-c", command]
        name, most = uuid.uuid4().hex, min(limit or OUTPUT_LIMIT, OUTPUT_LIMIT)
        self._open[name] = Terminal(argv, folder, {**self._environment, **variables}, most)
        return name

    def find(self, name: str) -> Terminal:
        """Give a terminal; ValueError where there is none."""
        if name not in self._open:
            raise ValueError(f"there is no terminal `{name}`")
        return self._open[name]

    def release(self, name: str) -> None:
        """End a command and forget it."""
        self.find(name).kill()
        self._open.pop(name).wait()

    def close(self) -> None:
        """End all of them."""
        for terminal in self._open.values():
            terminal.kill()
        for terminal in self._open.values():
            terminal.wait()
