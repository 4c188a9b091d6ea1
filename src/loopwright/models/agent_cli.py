"""A model behind an installed agent: `agent_cli:claude_code` asks `claude -p`, with the login that is there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from loopwright.errors import ModelError, UnknownName
from loopwright.process.child import Child
from loopwright.process.programs import find_program
from loopwright.records.budget import Usage
from loopwright.records.question import Question, Reply, Shape
from loopwright.text.asking import Said, asked, schema_of
from loopwright.text.bounded import mapping, parse

_PROGRAMS = {"claude_code": "claude"}
_INSTALL = "npm install --global @anthropic-ai/claude-code@latest"
_MOST_BYTES = 2_000_000
_APART = ("--setting-sources", "user", "--strict-mcp-config", "--tools", "", "--disable-slash-commands")
"""Nothing of a project, and no tool but the one that it answers with."""
_QUIET = {
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    "CLAUDE_CODE_MAX_RETRIES": "2",
}


class AgentCli:
    """The model `agent_cli`: `claude_code`, or `claude_code/MODEL`. How warm it is can't be told; the cache helps."""

    def __init__(self, given: str, timeout_s: float = 60.0) -> None:
        agent, _, self._model = given.partition("/")
        if agent not in _PROGRAMS:
            raise UnknownName("agent that answers questions", agent, _PROGRAMS)
        self.name, self.priced_as, self._timeout_s = f"agent_cli:{given}", self._model, timeout_s
        self._program = find_program(_PROGRAMS[agent])
        if not self._program:
            raise ModelError(f"the agent `{agent}` is not installed", f"install it: {_INSTALL}")

    def ask(self, question: Question[Shape]) -> Reply[Shape]:
        return asked(question, self.name, lambda prompt: self._say(question, prompt))

    def _say(self, question: Question[Shape], prompt: str) -> Said:
        # An empty folder: what lies around it, a CLAUDE.md above all, has no say.
        with tempfile.TemporaryDirectory(prefix="loopwright-question-") as folder:
            told = Path(folder) / "question"
            told.write_text(prompt, encoding="utf-8")
            return self._read(*self._run([self._program, *self._arguments(question)], Path(folder), told))

    def _arguments(self, question: Question[Shape]) -> Iterator[str]:
        yield from ("-p", "--output-format", "json", "--no-session-persistence", *_APART)
        yield from ("--system-prompt", question.system, "--json-schema", schema_of(question))
        if self._model:
            yield from ("--model", self._model)
        if question.most_usd is not None:
            yield from ("--max-budget-usd", f"{question.most_usd:g}")

    def _run(self, argv: list[str], folder: Path, told: Path) -> tuple[str, str]:
        """Run it to its end; give what it printed, and what it complained of."""
        kept = {"stdout": bytearray(), "stderr": bytearray()}
        with Child(argv, cwd=folder, env={**os.environ, **_QUIET}, stdin=told) as child:
            for pipe, chunk in child.chunks(wall_s=self._timeout_s):
                room = _MOST_BYTES - len(kept[pipe])
                kept[pipe] += chunk[:room]
        if child.end.cause == "wall":
            words = f"the model `{self.name}` gave no answer within {self._timeout_s:g} s"
            raise ModelError(words, "give it longer: [models] timeout")
        return kept["stdout"].decode(errors="replace"), kept["stderr"].decode(errors="replace")

    def _read(self, printed: str, complaint: str) -> Said:
        try:
            told: Mapping[str, Any] = mapping(parse(printed))
        except ValueError:
            told = {}
        if not told or told.get("is_error"):
            errors = told.get("errors")
            said = "; ".join(map(str, errors)) if isinstance(errors, list) else told.get("result")
            words = " ".join(str(said or complaint or printed).split())[:300] or "it said nothing"
            raise ModelError(f"the model `{self.name}` can't be asked: {words}", "does `claude -p hello` work?")
        answer = told.get("structured_output")
        cost = told.get("total_cost_usd")
        return Said(
            answer if isinstance(answer, dict) else str(told.get("result", "")),
            _usage(mapping(told.get("usage"))),
            float(cost) if isinstance(cost, int | float) else None,
            next(iter(mapping(told.get("modelUsage"))), self._model),
        )


def _usage(told: Mapping[str, Any]) -> Usage:
    names = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    return Usage(*(value if isinstance(value := told.get(name), int) else 0 for name in names))
