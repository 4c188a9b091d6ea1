"""`loopwright library`."""

from __future__ import annotations

from world import Loopwright, Repo, agent

TOLD = agent("cat > told", "echo 42 > answer")
NEW = "---\nkind: playbook\ntitle: Hum\ndescription: It is quiet.\n---\n\nHum a tune.\n"


def told(repo: Repo, loopwright: Loopwright) -> str:
    """Give what the next run's agent was told."""
    loopwright("run", "Fix it", "--test", "sh test.sh", *TOLD)
    return repo.show(loopwright("show", "--json").json["branch"], "told")


def test_from_a_file_into_a_prompt(repo: Repo, loopwright: Loopwright) -> None:
    """A human's file is an entry, told where a human says so; its edit reaches the next run, which names it."""
    repo.write(".loopwright/library/hum.md", NEW)
    assert "Hum a tune." not in told(repo, loopwright)
    assert loopwright("library", "tell", "hum", "--to", "worker/bug_fix").code == 0
    assert "Learned before:\n\n- Hum a tune." in told(repo, loopwright)
    assert loopwright("show", "--json").json["prompt_version"] == "worker/bug_fix@1 +hum@1"
    path = repo.root / ".loopwright/library/hum.md"
    path.write_text(path.read_text().replace("a tune", "two tunes"))
    assert "Hum two tunes." in told(repo, loopwright)
    assert loopwright("show", "--json").json["profile"]["library"] == ["hum@2"]
    assert "+Hum two tunes." in loopwright("library", "diff", "hum").out
    assert loopwright("library", "untell", "hum", "--to", "worker/bug_fix").code == 0
    assert "tune" not in told(repo, loopwright)


def test_the_list(repo: Repo, loopwright: Loopwright) -> None:
    """Each entry is there with who is told it; what waits for a human says why and how to go on."""
    repo.write(".loopwright/library/hum.md", NEW.replace("Hum a", "Run `hum -f` for a"))
    listed = loopwright("library", "list")
    assert "hum waits for a human: it holds a command" in listed.err
    rows = {row["name"]: row for row in loopwright("library", "list", "--json").json}
    assert (rows["hum"]["status"], rows["read-once"]["told_to"]) == ("quarantined", {})
    assert loopwright("library", "tell", "hum", "--to", "worker/docs").code == 2
    assert loopwright("library", "accept", "hum").code == 0
    assert loopwright("library", "tell", "hum", "--to", "worker/docs").code == 0
    assert loopwright("library", "retire", "hum", "--reason", "too loud").code == 0
    rows = {row["name"]: row for row in loopwright("library", "list", "--json").json}
    assert (rows["hum"]["status"], rows["hum"]["told_to"]) == ("retired", {})
    assert "too loud" in loopwright("library", "log", "hum").out


def test_a_broken_file_stops_nobody(repo: Repo, loopwright: Loopwright) -> None:
    """It is named by every command and by the next run, with its line, and all else goes on."""
    repo.write(".loopwright/library/hum.md", NEW.replace("playbook", "song"))
    assert "`library/hum.md`, line 2: kind: `song` is not possible here" in loopwright("library", "list").err
    ran = loopwright("run", "Fix it", "--test", "sh test.sh", *TOLD)
    assert ran.code == 0
    assert "library/hum.md" in ran.err
