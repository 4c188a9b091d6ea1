"""What holds for every registry of prompts that the registry names, ours and others'."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from loopwright.errors import RegistryError
from loopwright.ports import PromptRegistry
from loopwright.records.registry import RegistrySettings
from loopwright.registry import REGISTRIES, load, names
from registry_servers import ENVIRONMENT, LangfuseServer, PromptlayerServer, serving

SERVERS = {"langfuse": LangfuseServer, "promptlayer": PromptlayerServer}
MARKED = "<!-- loopwright:{} -->\n\n<!-- /loopwright -->\n"
TEXT = 'Be kind.\n\n{{PLAYBOOKS}}\n\tÜber 🎈 \\n "x" {y} %s <b>\n'


@contextmanager
def opened(name: str, root: Path) -> Iterator[tuple[PromptRegistry, str, str]]:
    """Give a registry with room for two prompts, and their names there."""
    kind = load(REGISTRIES, name)
    first, second = (f"team{kind.joint}worker{kind.joint}{task_type}" for task_type in ("docs", "feature"))
    if name in SERVERS:
        with serving(SERVERS[name]()) as server:
            yield kind(RegistrySettings(name, url=server.url), root, ENVIRONMENT), first, second
    else:
        (root / "AGENTS.md").write_text(MARKED.format(first) + MARKED.format(second))
        yield kind(RegistrySettings(name), root, {}), first, second


@pytest.mark.parametrize("name", names(REGISTRIES))
def test_it_is_made_of_settings(name: str) -> None:
    """A registry is made of its settings, the repository's root and the environment, without asking anybody."""
    kind = load(REGISTRIES, name)
    assert list(inspect.signature(kind).parameters) == ["settings", "root", "environment"]
    assert kind(RegistrySettings(name, url="http://127.0.0.1:1"), None, {}).joint


@pytest.mark.parametrize("name", names(REGISTRIES))
def test_what_it_lacks_is_told(name: str) -> None:
    """Without a key and without a repository every request is a RegistryError with a hint."""
    made = load(REGISTRIES, name)(RegistrySettings(name, url="http://127.0.0.1:1"), None, {})
    for ask in (lambda: made.names(""), lambda: made.read("a"), lambda: made.write("a", "b", "c")):
        with pytest.raises(RegistryError) as failed:
            ask()
        assert failed.value.hint


@pytest.mark.parametrize("name", [name for name in names(REGISTRIES) if name in (*SERVERS, "files")])
def test_what_is_written_is_read(name: str, tmp_path: Path) -> None:
    """A text comes back as it was written, again and again, and nothing is said of another prompt."""
    with opened(name, tmp_path) as (made, first, second):
        assert (made.read(first), made.takes(first)) == (None, True)
        for text in (TEXT, "Be quick.\n", TEXT):
            made.write(first, text, "a note")
            found = made.read(first)
            assert found is not None
            assert found.text == text
            assert found.mark
        assert made.read(second) is None
        assert first in made.names("team")
        assert made.names("else") == []
