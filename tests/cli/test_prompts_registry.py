"""`loopwright prompts import|sync|deploy` with a registry beside the store."""

from __future__ import annotations

import pytest

from loopwright.release.first_prompts import prompt_template
from registry_servers import (
    ENVIRONMENT,
    KEY,
    SECRET,
    Fails,
    LangfuseServer,
    PromptlayerServer,
    RegistryServer,
    Slow,
    serving,
)
from world import Loopwright, Repo, start, wait_for

NAME = "worker/bug_fix"


def text(words: str, name: str = NAME) -> str:
    return prompt_template(name).replace("{{PLAYBOOKS}}", f"{words}\n\n{{{{PLAYBOOKS}}}}")


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("keys")
@pytest.mark.parametrize(
    ("kind", "stub", "joint"), [("langfuse", LangfuseServer(), "/"), ("promptlayer", PromptlayerServer(), "-")]
)
def test_a_team_whose_prompts_live_there(
    repo: Repo, loopwright: Loopwright, monkeypatch: pytest.MonkeyPatch, kind: str, stub: RegistryServer, joint: str
) -> None:
    """Imported, edited there, noticed, taken over, changed here, rolled back: both say the same at the end of each."""
    monkeypatch.setenv("PROMPTLAYER_PROMPT_PREFIX", "ours-")
    prefix = 'prefix = "ours/"' if kind == "langfuse" else ""
    there = f"ours/{NAME}".replace("/", joint)
    with serving(stub) as server:
        repo.write("loopwright.toml", f'[registry]\nkind = "{kind}"\nurl = "{server.url}"\n{prefix}\n')
        server.edit(there, text("Hum a tune."))
        (item,) = loopwright("prompts", "import", "--json").json
        assert (item["name"], item["number"], item["done"]) == (NAME, 2, True)
        assert loopwright("prompts", "show", NAME).out == text("Hum a tune.")
        repo.write("prompt.md", text("Sing."))
        server.edit(there, text("Whistle."))
        done = loopwright("prompts", "set", NAME, "prompt.md", "--reason", "song")
        assert (done.code, f"{kind} says `{NAME}@4`" in done.err) == (2, True)
        assert loopwright("prompts", "deploy", f"{NAME}@4").code == 0
        server.fail("POST", Fails(503))
        assert loopwright("prompts", "deploy", f"{NAME}@3", "--reason", "song").code == 0
        assert server.says(there) == text("Sing.")
        assert loopwright("prompts", "rollback", NAME).code == 0
        assert server.says(there) == text("Whistle.")
        secret = SECRET if kind == "langfuse" else KEY
        server.fail("POST", Fails(401, f"wrong: {secret}".encode()))
        failed = loopwright("prompts", "rollback", NAME, "--to", "2")
        assert (failed.code, "does not say so yet" in failed.err) == (1, True)
        assert secret not in failed.err + failed.out
        assert loopwright("prompts", "sync").err == f"{NAME}@2: written\n"
        assert server.says(there) == text("Hum a tune.")
    assert [row[0] for row in repo.query("SELECT author FROM versions WHERE number > 1 ORDER BY number")] == [
        "registry",
        "human",
        "registry",
    ]


@pytest.mark.usefixtures("keys")
def test_killed_between_the_store_and_the_registry(repo: Repo, loopwright: Loopwright) -> None:
    """What was put into use stays so; that the registry is behind is told before the next deploy, and mended."""
    with serving(LangfuseServer()) as server:
        server.edit(NAME, prompt_template(NAME))
        repo.write("loopwright.toml", f'[registry]\nkind = "langfuse"\nurl = "{server.url}"\n')
        repo.write("prompt.md", text("Sing."))
        server.fail("POST", Slow())
        process = start("prompts", "set", NAME, "prompt.md", "--reason", "song", cwd=repo.root)
        wait_for(lambda: server.bodies)
        process.kill()
        process.communicate()
        assert loopwright("prompts", "show", NAME).out == text("Sing.")
        repo.write("prompt.md", text("Hum."))
        done = loopwright("prompts", "set", NAME, "prompt.md", "--reason", "hum")
        assert (done.code, "it is behind; loopwright prompts sync" in done.err) == (2, True)
        assert loopwright("prompts", "sync").code == 0
        assert server.says(NAME) == text("Sing.")
        assert loopwright("prompts", "deploy", f"{NAME}@3").code == 0
        assert server.says(NAME) == text("Hum.")


def test_prompts_in_a_file(repo: Repo, loopwright: Loopwright) -> None:
    """The text between the markers follows what is in use; an edit in an editor is noticed as one anywhere else."""
    repo.write("loopwright.toml", '[registry]\nkind = "files"\n')
    file = repo.write("AGENTS.md", f"# Ours\n\n<!-- loopwright:{NAME} -->\n<!-- /loopwright -->\n\nThe end")
    assert loopwright("prompts", "sync").err == f"{NAME}@1: written\n"
    around = file.read_text().replace(prompt_template(NAME), "")
    assert around == f"# Ours\n\n<!-- loopwright:{NAME} -->\n<!-- /loopwright -->\n\nThe end"
    file.write_text(file.read_text().replace("{{PLAYBOOKS}}", "Hum.\n\n{{PLAYBOOKS}}"))
    repo.write("prompt.md", text("Sing."))
    assert loopwright("prompts", "set", NAME, "prompt.md", "--reason", "song").code == 2
    assert loopwright("prompts", "deploy", f"{NAME}@3").code == 0
    assert loopwright("prompts", "show", NAME).out == text("Hum.")
    repo.write("prompt.md", text("Sing.", "worker/docs"))
    assert loopwright("prompts", "set", "worker/docs", "prompt.md", "--reason", "has no markers").code == 0
    assert loopwright("prompts", "deploy", f"{NAME}@2", "worker/docs@7", "--json").json[1]["done"] is False
    assert text("Sing.") in file.read_text()


def test_what_can_not_be_meant(repo: Repo, loopwright: Loopwright) -> None:
    """Without a registry, with one that is not there, without a number or a key: each is refused with what to do."""
    assert 'kind = "files"' in loopwright("prompts", "import").err
    assert "no version" in loopwright("prompts", "deploy", NAME).err
    repo.write("loopwright.toml", '[registry]\nkind = "langfus"\n')
    assert "did you mean `langfuse`" in loopwright("prompts", "sync").err
    repo.write("loopwright.toml", '[registry]\nkind = "promptlayer"\n')
    done = loopwright("prompts", "sync")
    assert (done.code, "PROMPTLAYER_API_KEY is not set" in done.err) == (1, True)
    repo.write("loopwright.toml", '[registry]\nkind = "files"\nurl = "https://me:hunter2@a"\n')
    done = loopwright("prompts", "list")
    assert (done.code, "registry.url" in done.err, "hunter2" in done.err) == (2, True, False)


def test_nothing_there_says_so(repo: Repo, loopwright: Loopwright) -> None:
    """An empty registry names what it looks for."""
    repo.write("loopwright.toml", '[registry]\nkind = "files"\n')
    done = loopwright("prompts", "import")
    assert (done.code, f"files has no prompt `{NAME}`" in done.err) == (0, True)


@pytest.mark.parametrize("words", [("sync",), ("import",)])
def test_a_slip_in_a_marker_is_named(repo: Repo, loopwright: Loopwright, words: tuple[str]) -> None:
    """A marker of a prompt that is not there is told, with what would be right; the others are done."""
    repo.write("loopwright.toml", '[registry]\nkind = "files"\n')
    marked = "".join(
        f"<!-- loopwright:{name} -->\n{text('Hum.')}<!-- /loopwright -->\n" for name in (NAME, "worker/bugfix")
    )
    repo.write("AGENTS.md", marked)
    done = loopwright("prompts", *words, "--json")
    told = {item["name"]: item for item in done.json}
    assert (done.code, set(told), told["worker/bugfix"]["done"]) == (1, {NAME, "worker/bugfix"}, False)
    assert "did you mean `worker/bug_fix`?" in told["worker/bugfix"]["words"]
    assert "left out: worker/bugfix: there is no prompt `worker/bugfix`" in loopwright("prompts", *words).err
