"""Prompts in PromptLayer, against a server that answers as its documentation says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from loopwright.errors import RegistryError
from loopwright.records.registry import RegistrySettings, Remote
from loopwright.release.registries.promptlayer import Promptlayer
from registry_servers import ENVIRONMENT, Fails, PromptlayerServer, RegistryServer, serving

NAME = "team-worker-bug_fix"


@pytest.fixture
def server() -> Iterator[RegistryServer]:
    with serving(PromptlayerServer()) as stub:
        yield stub


def registry(server: RegistryServer, label: str = "", **environment: str) -> Promptlayer:
    settings = RegistrySettings("promptlayer", url=server.url, label=label)
    return Promptlayer(settings, None, {**ENVIRONMENT, **environment})


def published(server: RegistryServer, template: dict[str, Any], **more: Any) -> None:
    version = {"prompt_template": template, **more}
    server.post([], {"prompt_template": {"prompt_name": NAME, "tags": ["ours"]}, "prompt_version": version})


def test_the_newest_version_counts(server: RegistryServer) -> None:
    """Where no label is set, it is the newest; snippets are asked for as they stand."""
    server.edit(NAME, "Old.")
    server.edit(NAME, "Be kind.")
    assert registry(server).read(NAME) == Remote("Be kind.", "version 2")
    assert registry(server).read("team-worker-docs") is None
    assert server.requests[0][1] == f"/prompt-templates/{NAME}?resolve_snippets=false"


def test_with_a_label_its_version_counts(server: RegistryServer) -> None:
    """A write moves the label to the new version; an edit without it is a draft there."""
    server.edit(NAME, "Old.")
    assert registry(server, "prod").read(NAME) is None
    registry(server, "prod").write(NAME, "New.", "x")
    server.edit(NAME, "A draft.")
    assert registry(server, "prod").read(NAME) == Remote("New.", "version 2")
    assert server.prompts[NAME][1]["release_labels"] == ["prod"]


def test_a_write_keeps_what_else_was_set(server: RegistryServer) -> None:
    """Model, tags, role and format go along; the note is cut to what PromptLayer takes."""
    message = {"role": "user", "content": [{"type": "text", "text": "Old."}], "template_format": "jinja2"}
    model = {"model": {"provider": "openai", "name": "gpt-5.5"}}
    published(server, {"type": "chat", "messages": [message], "tools": None}, metadata=model)
    registry(server).write(NAME, "New.", "a long note " * 20)
    new = server.prompts[NAME][-1]
    assert new["prompt_template"]["messages"] == [{**message, "content": [{"type": "text", "text": "New."}]}]
    assert (new["metadata"], new["tags"], len(new["commit_message"])) == (model, ["ours"], 72)


def test_a_new_one_and_a_completion(server: RegistryServer) -> None:
    """A prompt that is not there yet becomes a system message; a completion stays one."""
    registry(server).write(NAME, "{{PLAYBOOKS}}", "x")
    (message,) = server.prompts[NAME][0]["prompt_template"]["messages"]
    assert (message["role"], message["template_format"]) == ("system", "jinja2")
    server.edit(NAME, "Old.")
    registry(server).write(NAME, "New.", "x")
    assert server.prompts[NAME][-1]["prompt_template"]["type"] == "completion"
    assert server.says(NAME) == "New."


@pytest.mark.parametrize(
    "template",
    [
        {"type": "chat", "messages": []},
        {"type": "chat", "messages": [{"content": [{"text": "a"}]}, {"content": [{"text": "b"}]}]},
        {"type": "chat", "messages": [{"content": None}]},
        {"type": "completion", "content": [{"type": "image_url"}]},
        {"type": "completion"},
        3,
        None,
    ],
)
def test_what_is_not_one_text_is_refused(server: RegistryServer, template: Any) -> None:
    """It is neither read nor written over."""
    published(server, template)
    for act in (lambda: registry(server).read(NAME), lambda: registry(server).write(NAME, "New.", "x")):
        with pytest.raises(RegistryError, match="not one text"):
            act()
    assert len(server.prompts[NAME]) == 1


def test_snippets_are_refused(server: RegistryServer) -> None:
    """What is put together there can't be written back as it was."""
    server.edit(NAME, "@@@greeting@@@")
    server.prompts[NAME][0]["snippets"] = [{"prompt_name": "greeting"}]
    with pytest.raises(RegistryError, match="snippets"):
        registry(server).read(NAME)


def test_all_pages_are_read(server: RegistryServer) -> None:
    """Names come from every page; the server's filter finds more than the prefix."""
    for number in range(65):
        server.edit(f"team-{number:02}", "x")
    server.edit("my-team-worker", "x")
    assert len(registry(server).names("team-")) == 65
    assert len(server.requests) == 3


def test_a_conflict_is_told(server: RegistryServer) -> None:
    """It is not tried again, and the way on is said."""
    server.fail("POST", Fails(409, b'{"message": "External ID conflict"}'))
    with pytest.raises(RegistryError, match="External ID conflict") as failed:
        registry(server).write(NAME, "New.", "x")
    assert "somebody else" in failed.value.hint


def test_a_missing_key_is_told(server: RegistryServer) -> None:
    """Its variable is named."""
    with pytest.raises(RegistryError, match="PROMPTLAYER_API_KEY is not set"):
        registry(server, PROMPTLAYER_API_KEY="").names("")


@pytest.mark.parametrize("body", [b"[]", b'{"items": 3, "has_next": false}', b'{"items": [{}]}', b"null"])
def test_a_list_that_is_none(server: RegistryServer, body: bytes) -> None:
    """Whatever comes in the place of a list is an error with a hint."""
    server.fail("GET", Fails(200, body))
    with pytest.raises(RegistryError, match="not understood"):
        registry(server).names("")
