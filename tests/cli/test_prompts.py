"""`loopwright prompts` and `loopwright profiles`."""

from __future__ import annotations

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
