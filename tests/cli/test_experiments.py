"""`loopwright experiments`: begun by flags or a file, filled by live runs, shown, stopped, released."""

from __future__ import annotations

import sqlite3
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from contextlib import closing

import pytest

from loopwright.wire import Project, make_proving, open_project
from trials import BETTER, live_pairs
from world import Called, Loopwright, Repo, agent

DOCS = ("--parameter", "review", "--b", "self", "--task-type", "docs")


@pytest.fixture
def project(repo: Repo) -> Iterator[Project]:
    opened = open_project(repo.root)
    yield opened
    opened.close()


def begun(loopwright: Loopwright, *words: object) -> Called:
    done = loopwright("experiments", "create", *words, "--json")
    assert done.code == 0, done.err
    return done


def test_nothing_yet(repo: Repo, loopwright: Loopwright) -> None:
    """An empty list names the command that fills it."""
    done = loopwright("experiments", "list")
    assert (done.code, done.out) == (0, "")
    assert "experiments create" in done.err
    assert loopwright("experiments", "list", "--json").json == []


def test_from_flags_to_use(repo: Repo, loopwright: Loopwright, project: Project) -> None:
    """It is begun, listed, shown with the evidence drawn, proven, put into use; and then it is said so."""
    begun(loopwright, *DOCS, "--name", "eyes", "--reason", "fewer mistakes?")
    assert "eyes" in loopwright("experiments", "list").out
    shown = loopwright("experiments", "show", "eyes")
    assert "no pair has come yet" in shown.out
    live_pairs(make_proving(project), BETTER)
    shown = loopwright("experiments", "show", "eyes")
    for words in ("proven", "promote 17.2", "● B is better", "30 pairs", "only B passed in 28, only A in 2"):
        assert words in shown.out, shown.out
    assert "loopwright experiments release eyes" in shown.out
    told = loopwright("experiments", "show", "eyes", "--json").json
    assert (told["status"], told["evidence"]["pairs"], len(told["looks"])) == ("proven", 30, 30)
    assert told["now"]["superiority"] > told["now"]["threshold"] == 17.1875
    assert "is in use now" in loopwright("experiments", "release", "eyes").err
    assert loopwright("profiles", "show", "worker/docs").out == "review = self\n"
    again = loopwright("experiments", "release", "eyes")
    assert (again.code, "promoted, not proven" in again.err) == (2, True)


@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_it_fits(
    repo: Repo, loopwright: Loopwright, project: Project, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    """However narrow the terminal is, no line is longer."""
    begun(loopwright, *DOCS, "--name", "eyes")
    live_pairs(make_proving(project), [(True, True), (False, True), (True, False)] * 20)
    monkeypatch.setenv("COLUMNS", columns)
    for words in (("show", "eyes"), ("list",)):
        out = loopwright("experiments", *words).out
        assert max(len(line) for line in out.splitlines()) <= int(columns), out


def test_a_picture(repo: Repo, loopwright: Loopwright) -> None:
    """It is drawn into a file, also where there is no pair yet; a folder that is not there is said."""
    begun(loopwright, *DOCS, "--name", "eyes")
    done = loopwright("experiments", "show", "eyes", "--svg", repo.root / "eyes.svg")
    assert done.code == 0, done.err
    assert ElementTree.parse(repo.root / "eyes.svg").getroot().tag.endswith("svg")
    refused = loopwright("experiments", "show", "eyes", "--svg", repo.root / "nowhere" / "eyes.svg")
    assert refused.code == 1
    assert "nowhere/eyes.svg" in refused.err


def test_from_a_file(repo: Repo, loopwright: Loopwright) -> None:
    """TOML says the same as flags; flags come first; a whole profile of the settings is named."""
    repo.write("loopwright.toml", '[profiles.careful]\nreview = "self"\n')
    text = 'parameter = "profile"\ntreatment = "careful"\ntask_types = ["docs"]\nmaximum = 200\nshare = 0.5\n'
    told = begun(loopwright, repo.write("one.toml", text), "--maximum", 300, "--name", "whole").json
    assert (told["maximum"], told["share"], told["treatment"]["value"]["review"]) == (300, 0.5, "self")
    number = 'parameter = "temperature"\ntreatment = 0.2\ncontrol = 1\n'
    assert begun(loopwright, repo.write("two.toml", number)).json["control"]["value"] == 1.0


def test_what_can_not_be_meant(repo: Repo, loopwright: Loopwright) -> None:
    """Each is refused with what would be right, and nothing is begun."""
    broken = repo.write("broken.toml", "parameter = ")
    odd = repo.write("odd.toml", 'parameter = "review"\ntreatment = "self"\ncolour = 1\n')
    for words, told in [
        (("create",), "`parameter` is missing"),
        (("create", "--parameter", "review"), "--b"),
        (("create", broken), "TOML"),
        (("create", odd), "colour"),
        (("create", "--parameter", "system_prompt", "--b", "x", "--task-type", "docs"), "no version's number"),
        (("create", *DOCS, "--minimum", 5), "at least 30"),
        (("show", "nobody"), "no experiment `nobody`"),
        (("stop", "nobody"), "no experiment `nobody`"),
        (("release", "nobody"), "no experiment `nobody`"),
    ]:
        done = loopwright("experiments", *words)
        assert done.code == 2, words
        assert told in done.err, done.err
    assert loopwright("experiments", "list", "--json").json == []


def test_stopped(repo: Repo, loopwright: Loopwright) -> None:
    """It ends with the reason, which is shown."""
    begun(loopwright, *DOCS, "--name", "eyes")
    assert loopwright("experiments", "stop", "eyes", "--reason", "too dear").code == 0
    assert "too dear" in loopwright("experiments", "show", "eyes").out
    assert loopwright("experiments", "stop", "eyes").code == 2


def test_live_runs_take_part(repo: Repo, loopwright: Loopwright) -> None:
    """Two runs make a pair, each told its arm; the same task again is the same trial, and counted once."""
    begun(loopwright, "--parameter", "context", "--b", "full_files", "--task-type", "docs", "--name", "more")
    for goal in ("Say 42", "Say 42 again", "Say 42"):
        done = loopwright("run", goal, "--task-type", "docs", "--test", "sh test.sh", *agent("echo 42 > answer"))
        assert done.code == 0, done.err
    told = loopwright("experiments", "show", "more", "--json").json
    assert (told["evidence"]["pairs"], told["evidence"]["assigned"]) == (1, {"docs": 2})
    found = repo.query(
        "SELECT json_extract(profile, '$.context'), json_extract(profile, '$.trial') FROM runs ORDER BY id"
    )
    arms = dict(repo.query("SELECT id, arm FROM trials"))
    assert [context for context, _ in found] == ["full_files" if arms[one] == "B" else "none" for _, one in found]
    assert found[0] == found[2]


def test_who_is_named_takes_no_part(repo: Repo, loopwright: Loopwright) -> None:
    """A model that is compared is not given to a run whose agent is named, nor what an agent can't be told."""
    repo.write("loopwright.toml", '[profiles.own]\nagent = "command"\nagent_options = { command = "touch new" }\n')
    begun(loopwright, "--parameter", "model", "--b", "m", "--name", "models")
    begun(loopwright, "--parameter", "temperature", "--b", "0.2", "--name", "cooler")
    for words in (agent("echo 42 > answer"), ("--profile", "own")):
        loopwright("run", "Fix it", "--test", "sh test.sh", "--max-iterations", 1, *words)
    assert repo.query("SELECT count(*) FROM runs") == [(2,)]
    assert repo.query("SELECT id FROM trials") == []


def test_a_run_that_was_interrupted_counts_when_it_has_ended(repo: Repo, loopwright: Loopwright) -> None:
    """One that escalates counts as it ended first; what a human makes of it later changes nothing."""
    begun(loopwright, "--parameter", "context", "--b", "full_files", "--name", "more")
    flags = ("--test", "sh test.sh", "--max-iterations", 1)
    assert loopwright("run", "Fix it", *flags, *agent("echo 43 > answer")).code == 5
    assert repo.query("SELECT passed FROM trials") == [(0,)]
    loopwright("resume", "last", "--comment", "try again", "--max-iterations", 1)
    assert repo.query("SELECT passed FROM trials") == [(0,)]


def test_who_died_before_an_outcome_was_told(repo: Repo, loopwright: Loopwright) -> None:
    """A run that ended and told nobody is told of when the next one ends."""
    assert loopwright("experiments", "create", "--parameter", "review", "--b", "self", "--task-type", "docs").code == 0
    words = ("--test", "sh test.sh", "--task-type", "docs", *agent("echo 42 > answer"))
    assert loopwright("run", "Write it", *words).code == 0
    assert repo.query("SELECT count(*) FROM trials WHERE delivered_at IS NOT NULL") == [(1,)]
    with closing(sqlite3.connect(repo.root / ".loopwright" / "store.sqlite")) as store:
        store.execute("UPDATE trials SET delivered_at = NULL, run_id = ''")
        store.execute("DELETE FROM concluded")
        store.commit()
    assert loopwright("run", "Write more", *words).code == 0
    assert repo.query("SELECT count(*) FROM trials WHERE delivered_at IS NOT NULL") == [(2,)]
    assert repo.query("SELECT count(*) FROM concluded") == [(2,)]


def test_a_name_with_a_blank_is_quoted(repo: Repo, loopwright: Loopwright, project: Project) -> None:
    """What a hint says can be copied into a shell as it stands; an empty name is refused, and not replaced."""
    assert "is no name" in loopwright("experiments", "create", *DOCS, "--name", "").err
    done = loopwright("experiments", "create", *DOCS, "--name", "more eyes")
    assert "loopwright experiments show 'more eyes'" in done.err
    live_pairs(make_proving(project), BETTER)
    assert "loopwright experiments release 'more eyes'" in loopwright("experiments", "show", "more eyes").out
    loopwright("experiments", "release", "more eyes")
    assert "experiments show 'more eyes'" in loopwright("experiments", "release", "more eyes").err
