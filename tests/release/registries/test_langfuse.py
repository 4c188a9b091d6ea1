"""Prompts in Langfuse, against a server that answers as its documentation says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from loopwright.errors import RegistryError
from loopwright.records.registry import RegistrySettings, Remote
from loopwright.release.registries.langfuse import Langfuse
from registry_servers import ENVIRONMENT, Fails, LangfuseServer, RegistryServer, serving

NAME = "team/worker/bug_fix"


@pytest.fixture
def server() -> Iterator[RegistryServer]:
    with serving(LangfuseServer()) as stub:
        yield stub


def registry(server: RegistryServer, label: str = "", **environment: str) -> Langfuse:
    return Langfuse(RegistrySettings("langfuse", url=server.url, label=label), None, {**ENVIRONMENT, **environment})


def test_the_version_with_the_label_counts(server: RegistryServer) -> None:
    """A newer version without the label is a draft there; the slash of a name survives."""
    server.edit(NAME, "Be kind.")
    server.post([], {"name": NAME, "type": "text", "prompt": "A draft.", "labels": []})
    assert registry(server).read(NAME) == Remote("Be kind.", "version 1")
    assert registry(server, "latest").read(NAME) == Remote("A draft.", "version 2")
    assert registry(server).read("team/worker/docs") is None
    assert server.requests[0][1] == "/api/public/v2/prompts/team%2Fworker%2Fbug_fix?label=production"


def test_a_write_is_a_new_version_with_the_label(server: RegistryServer) -> None:
    """What was before stays there, without the label; what it was set to goes along."""
    old = {"name": NAME, "type": "text", "prompt": "Old.", "labels": ["production", "eu"]}
    server.post([], {**old, "config": {"model": "gpt-5.5"}, "tags": ["ours"]})
    registry(server).write(NAME, "New.", "worker/bug_fix@2: kindness")
    first, second = server.prompts[NAME]
    assert (first["labels"], second["labels"]) == (["eu"], ["production", "latest"])
    assert (second["config"], second["tags"]) == ({"model": "gpt-5.5"}, ["ours"])
    assert second["commitMessage"] == "worker/bug_fix@2: kindness"
    assert registry(server).read(NAME) == Remote("New.", "version 2")


def test_a_chat_of_one_message_stays_one(server: RegistryServer) -> None:
    """Langfuse refuses to change a prompt's type; a chat of several messages is not one text."""
    chat = {"name": NAME, "type": "chat", "labels": ["production"]}
    server.post([], {**chat, "prompt": [{"role": "system", "content": "Old."}]})
    registry(server).write(NAME, "New.", "x")
    assert server.prompts[NAME][-1]["prompt"] == [{"role": "system", "content": "New."}]
    server.post([], {**chat, "prompt": [{"role": "system", "content": "A"}, {"role": "user", "content": "B"}]})
    for act in (lambda: registry(server).read(NAME), lambda: registry(server).write(NAME, "New.", "x")):
        with pytest.raises(RegistryError, match="not one text"):
            act()


def test_a_prompt_made_of_others_is_refused(server: RegistryServer) -> None:
    """What is resolved there can't be written back as it was."""
    server.edit(NAME, "Be kind.")
    server.prompts[NAME][0]["resolutionGraph"] = {"root": {}}
    with pytest.raises(RegistryError, match="other prompts"):
        registry(server).read(NAME)


def test_all_pages_are_read(server: RegistryServer) -> None:
    """Names come from every page, and only those with the prefix."""
    for number in range(205):
        server.edit(f"team/{number:03}", "x")
    server.edit("else/worker", "x")
    found = registry(server).names("team/")
    assert (len(found), found[-1]) == (205, "team/204")
    assert len(server.requests) == 3


def test_the_keys_come_from_the_environment(server: RegistryServer) -> None:
    """A wrong key is told without it; the host may stand in the environment, too."""
    with pytest.raises(RegistryError, match="401") as failed:
        registry(server, LANGFUSE_SECRET_KEY="sk-wrong-one").names("")
    assert "sk-wrong-one" not in str(failed.value)
    with pytest.raises(RegistryError, match="LANGFUSE_SECRET_KEY is not set"):
        registry(server, LANGFUSE_SECRET_KEY="").names("")
    by_host = Langfuse(RegistrySettings("langfuse"), None, {**ENVIRONMENT, "LANGFUSE_HOST": server.url})
    assert by_host.names("") == []


@pytest.mark.parametrize("body", [b"[]", b'{"data": 3}', b'{"data": [{}]}', b'{"data": [], "meta": {}}', b"null"])
def test_a_list_that_is_none(server: RegistryServer, body: bytes) -> None:
    """Whatever comes in the place of a list is an error with a hint."""
    server.fail("GET", Fails(200, body))
    with pytest.raises(RegistryError, match=r"not understood|not the address") as failed:
        registry(server).names("")
    assert failed.value.hint


@pytest.mark.parametrize("body", [b"[]", b"3", b"{}", b'{"prompt": 3}', b'{"prompt": [3]}', b'{"prompt": []}'])
def test_a_prompt_that_is_none(server: RegistryServer, body: bytes) -> None:
    """Whatever comes in the place of a prompt is an error with a hint."""
    server.fail("GET", Fails(200, body))
    with pytest.raises(RegistryError, match=r"not understood|not one text"):
        registry(server).read(NAME)
