"""What the real CLIs write down of their sessions is read: their calls, and the tokens that the server gave."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from e2e import google, openai_chat
from e2e.clis import NotInstalled, folder_of
from e2e.test_gemini import GEMINI
from e2e.test_opencode import OPENCODE, PRICES
from loopwright.ingest.formats.gemini import Gemini
from loopwright.ingest.formats.opencode import Opencode
from loopwright.records.event import Event, EventKind
from observing import of, spent

_LIMIT_S = 180


def _work(cli: str, words: Sequence[str], folder: Path, **environment: str) -> None:
    """Let the real one work in a folder, with nothing of the machine's environment but where programs are."""
    (folder / "tmp").mkdir()
    environment = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "TMPDIR": str(folder / "tmp"), **environment}
    done = subprocess.run(
        [cli, *words],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_LIMIT_S,
    )
    assert done.returncode == 0, done.stderr


def _calls(events: Sequence[Event]) -> list[tuple[str | None, int | None, bool]]:
    return [(event.command, event.exit_code, event.is_error) for event in of(events, EventKind.TOOL_RESULT)]


def test_geminis_chat_is_read(alone: Path, own_home: Path, tmp_path: Path) -> None:
    """The chat that it keeps has each call once, and the tokens of all answers."""
    try:
        program = folder_of(GEMINI) / "gemini"
    except NotInstalled as missing:
        pytest.skip(str(missing))
    (own_home / ".gemini").mkdir()
    settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": False}}
    (own_home / ".gemini" / "settings.json").write_text(json.dumps(settings))
    shell = google.calls("run_shell_command", command="exit 3", description="fail")
    work = tmp_path / "work"
    work.mkdir()
    with google.serving([google.says("I look."), shell], [google.says("Done.")]) as (model, url):
        words = ("-p", "Look", "--output-format", "json", "-m", "gemini-2.5-flash", "--approval-mode", "yolo")
        variables = {"GOOGLE_GEMINI_BASE_URL": url, "GEMINI_API_KEY": "dummy", "GEMINI_CLI_TRUST_WORKSPACE": "true"}
        _work(str(program), words, work, **variables, GEMINI_TELEMETRY_ENABLED="false")
    kind = Gemini()
    [path] = [path for place in kind.places(own_home, {}) for path in place.rglob("session-*.jsonl")]
    reading = kind.read("", [path])
    events = list(reading.events())
    assert _calls(events) == [("exit 3", 3, False)]
    assert spent(events) == model.used
    assert reading.about.project == str(work)
    assert of(events, EventKind.RAW) == []


def test_opencodes_database_is_read(alone: Path, own_home: Path, tmp_path: Path) -> None:
    """The database that it keeps has each call once, and the tokens of all answers."""
    try:
        program = folder_of(OPENCODE) / "opencode"
    except NotInstalled as missing:
        pytest.skip(str(missing))
    work = tmp_path / "work"
    subprocess.run(["git", "init", "-q", str(work)], check=True)
    shell = openai_chat.calls("bash", command="exit 3", description="fail")
    with openai_chat.serving(shell, shell, openai_chat.says("Done.")) as (model, url):
        stub = {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": url, "apiKey": "dummy"}}
        models = {"m": {"cost": PRICES, "limit": {"context": 100_000, "output": 4000}}}
        config = own_home / ".config" / "opencode" / "opencode.json"
        config.parent.mkdir(parents=True)
        config.write_text(json.dumps({"provider": {"stub": {**stub, "models": models}}, "share": "disabled"}))
        flags = {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_LSP_DOWNLOAD": "1"}
        _work(str(program), ("run", "--title", "T", "-m", "stub/m", "Look"), work, **flags)
    kind = Opencode()
    database = next(place for place in kind.places(own_home, {}) if place.suffix == ".db")
    [name] = kind.sessions(database)
    reading = kind.read(name, [database])
    events = list(reading.events())
    assert _calls(events) == [("exit 3", 3, True), ("exit 3", 3, True)]
    assert spent(events) == model.used
    assert (reading.about.project, reading.about.agent_version) == (str(work), OPENCODE.version)
    assert of(events, EventKind.RAW) == []
