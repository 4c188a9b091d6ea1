"""`loopwright prompts` and `loopwright profiles`."""

from __future__ import annotations

import pytest

from world import Loopwright, Repo, agent

NAME = "worker/bug_fix"


def test_from_a_file_into_a_run_and_back(repo: Repo, loopwright: Loopwright) -> None:
    """A prompt is written down, put into use, told to the next run, which knows its version, and rolled back."""
    text = loopwright("prompts", "show", NAME).out
    repo.write("prompt.md", text.replace("{{PLAYBOOKS}}", "Hum a tune.\n\n{{PLAYBOOKS}}"))
    assert loopwright("prompts", "set", NAME, repo.root / "prompt.md", "--reason", "cheer").code == 0
    assert "+Hum a tune." in loopwright("prompts", "diff", NAME).out
    loopwright("run", "Fix it", "--test", "sh test.sh", *agent("cat > told; echo 42 > answer"))
    assert "Hum a tune." in repo.show(loopwright("show", "--json").json["branch"], "told")
    shown = loopwright("show", "--json").json
    assert shown["prompt_version"] == f"{NAME}@2"
    assert shown["profile"]["versions"][f"prompt {NAME}"] == 2
    assert loopwright("prompts", "rollback", NAME, "--reason", "too loud").code == 0
    log = loopwright("prompts", "log", NAME)
    assert "● @1" in log.out
    assert "cheer" in log.out
    listed = {row["name"]: row["number"] for row in loopwright("prompts", "list", "--json").json}
    assert (len(listed), listed[NAME]) == (28, 1)


def test_a_draft_is_not_in_use(repo: Repo, loopwright: Loopwright) -> None:
    """It is written down under the next number, and can be looked at."""
    repo.write("prompt.md", loopwright("prompts", "show", NAME).out + "Be kind.\n")
    assert loopwright("prompts", "set", NAME, repo.root / "prompt.md", "--reason", "x", "--draft").code == 0
    assert loopwright("prompts", "show", NAME, "--json").json["number"] == 1
    assert loopwright("prompts", "show", f"{NAME}@2", "--json").json["content"].endswith("Be kind.\n")


def test_profiles_are_set_by_name(repo: Repo, loopwright: Loopwright) -> None:
    """What is in use for a task type is what its next run is set to; flags come first."""
    assert loopwright("profiles", "set", NAME, "review=self", "--reason", "more eyes").code == 0
    assert loopwright("profiles", "show", NAME).out == "review = self\n"
    loopwright("run", "Fix it", "--test", "sh test.sh", *agent("cat > told; echo 42 > answer"))
    shown = loopwright("show", "--json").json
    assert (shown["profile"]["review"], shown["profile"]["versions"][f"profile {NAME}"]) == ("self", 2)


def test_what_can_not_be_meant(repo: Repo, loopwright: Loopwright) -> None:
    """Names, numbers and values that are not there are refused with what would be right."""
    for words, told in [
        (("prompts", "show", "worker/bugfix"), "worker/bug_fix"),
        (("prompts", "show", f"{NAME}@x"), "ROLE/TASK_TYPE@NUMBER"),
        (("prompts", "show", f"{NAME}@9"), "no version `9`"),
        (("prompts", "diff", NAME), "first version"),
        (("prompts", "rollback", NAME), "nothing was in use before"),
        (("profiles", "set", NAME, "mode=x", "--reason", "x"), "model"),
        (("profiles", "set", "planner", "model=x", "--reason", "x"), "no profile `planner`"),
    ]:
        done = loopwright(*words)
        assert done.code == 2, words
        assert told in done.err, done.err


def test_a_file_that_is_no_text(repo: Repo, loopwright: Loopwright) -> None:
    """Bytes that are not UTF-8 are refused with a hint; a BOM and other ends of lines are nobody's edit."""
    before = loopwright("prompts", "show", NAME).out.encode()
    (repo.root / "latin.md").write_bytes(before + "Grüße".encode("latin-1"))
    done = loopwright("prompts", "set", NAME, repo.root / "latin.md", "--reason", "x")
    assert (done.code, "latin.md` is not UTF-8" in done.err, "hint: save it as UTF-8" in done.err) == (2, True, True)
    (repo.root / "marked.md").write_bytes(b"\xef\xbb\xbf" + before.replace(b"\n", b"\r\n"))
    assert "says just that" in loopwright("prompts", "set", NAME, repo.root / "marked.md", "--reason", "x").err


@pytest.mark.parametrize(
    "words",
    [
        ("profiles", "set", NAME, "review=self"),
        ("prompts", "set", NAME, "loopwright.toml"),
        ("prompts", "rollback", NAME),
        ("prompts", "deploy", f"{NAME}@1"),
        ("experiments", "stop", "eyes"),
        ("experiments", "create", "--parameter", "review", "--b", "self"),
    ],
)
@pytest.mark.parametrize("reason", ["", "  ", "\n"])
def test_a_reason_says_something(repo: Repo, loopwright: Loopwright, words: tuple[str, ...], reason: str) -> None:
    """An empty one is refused before anything is done."""
    repo.write("loopwright.toml", "")
    done = loopwright(*words, "--reason", reason)
    assert (done.code, "says nothing" in done.err, "hint: say why" in done.err) == (2, True, True)


@pytest.mark.parametrize("kind", ["prompts", "profiles"])
def test_a_diff_for_programs(repo: Repo, loopwright: Loopwright, kind: str) -> None:
    """Both versions and the lines that differ."""
    if kind == "prompts":
        repo.write("new.md", loopwright("prompts", "show", NAME).out + "Be kind.\n")
    given = ["new.md"] if kind == "prompts" else ["model=m"]
    assert loopwright(kind, "set", NAME, *given, "--reason", "x").code == 0
    told = loopwright(kind, "diff", NAME, "--json").json
    assert (told["before"]["number"], told["after"]["number"]) == (1, 2)
    assert told["diff"][-1] == ("+Be kind." if kind == "prompts" else "+model = m")


@pytest.mark.parametrize("columns", [52, 60, 200])
def test_a_list_has_a_line_each(
    repo: Repo, loopwright: Loopwright, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    """What there is no room for is cut."""
    loopwright("profiles", "set", NAME, "model=m", "--reason", "a long story\nthat goes on " * 9)
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = loopwright("profiles", "list").out.splitlines()
    assert (len(lines), max(len(line.rstrip()) for line in lines) <= columns) == (22, True)
    assert any(NAME in line and "human" in line for line in lines)


def test_taking_a_parameter_out_is_no_way_around(repo: Repo, loopwright: Loopwright) -> None:
    """What nothing stands for is compared: all tools, and nobody who looks."""
    assert loopwright("profiles", "set", NAME, "tools=restricted", "review=separate", "--reason", "x").code == 0
    done = loopwright("profiles", "set", NAME, "tools=", "review=", "--reason", "x")
    assert (done.code, "from `restricted` to `all`" in done.err, "to `none`" in done.err) == (2, True, True)
    assert loopwright("profiles", "show", NAME).out == "review = separate\ntools = restricted\n"
