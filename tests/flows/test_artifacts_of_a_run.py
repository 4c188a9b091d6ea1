"""What a run leaves: on disk, on its branch, and nowhere else."""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path

import pytest

from world import Loopwright, Repo, agent

TEST = ("--test", "sh test.sh")

WORK = agent(
    "echo 42 > answer",
    "mkdir -p 'new dir'; printf 'no newline' > 'new dir/ünïcödé'",
    "printf '\\000\\001\\377binary' > data.bin",
    "printf '#!/bin/sh\\n' > tool; chmod +x tool",
    "ln -s answer link",
    "rm README.md; git mv kept moved",
    "echo said on stdout; echo said on stderr >&2",
)


@pytest.fixture
def result(repo: Repo, loopwright: Loopwright) -> dict[str, object]:
    repo.write("kept", "some text\n" * 5)
    repo.commit()
    called = loopwright("run", "Fix it\nand more", *TEST, *WORK, "--json")
    assert called.code == 0
    Path("printed.json").write_text(called.out)
    return dict(called.json)


def path(result: dict[str, object], name: str) -> Path:
    artifacts = result["artifacts"]
    assert isinstance(artifacts, dict)
    return Path(artifacts[name])


def test_the_diff_gives_the_same_tree(result: dict[str, object], repo: Repo, tmp_path: Path) -> None:
    """changes.diff applies to the base in a fresh clone, and what comes out is the branch's tree."""
    base = repo.git("rev-parse", "main")
    subprocess.run(["git", "clone", "-q", "--branch", "main", repo.root, tmp_path / "fresh"], check=True)
    fresh = Repo(tmp_path / "fresh")
    assert fresh.git("rev-parse", "HEAD") == base
    fresh.git("apply", "--check", str(path(result, "diff")))
    fresh.git("apply", "--index", str(path(result, "diff")))
    assert fresh.git("write-tree") == repo.git("rev-parse", f"{result['branch']}^{{tree}}")


def test_the_branch_has_the_commit(result: dict[str, object], repo: Repo) -> None:
    """The work is a commit on the run's own branch, on top of the base, with the goal in its message."""
    assert result["branch"] == f"loopwright/{result['run_id']}"
    assert repo.git("rev-parse", str(result["branch"])) == result["commit"]
    assert repo.git("rev-parse", f"{result['branch']}~1") == repo.git("rev-parse", "main")
    assert "Fix it\nand more" in repo.git("log", "-1", "--format=%B", str(result["branch"]))
    assert repo.git("ls-tree", "--format=%(objectmode)", str(result["branch"]), "tool", "link").split() == [
        "120000",
        "100755",
    ]
    assert repo.git("branch", "--list", "--format=%(refname:short)").splitlines() == [result["branch"], "main"]


def test_the_result_is_what_was_printed(result: dict[str, object]) -> None:
    """result.json holds what `--json` printed."""
    assert path(result, "result").read_text() == Path("printed.json").read_text()
    assert json.loads(path(result, "result").read_text()) == result


def test_the_log_and_the_output(result: dict[str, object]) -> None:
    """completion.md tells the story, and output.txt holds the agent's last words."""
    log = path(result, "log").read_text()
    for words in ("done (criteria_met)", "> Fix it", "> and more", "Before the start", "After iteration 1", "✗", "✓"):
        assert words in log
    assert f"git merge {result['branch']}" in log
    assert path(result, "output").read_text() == "said on stdout"


def test_the_raw_stream_is_there_byte_for_byte(repo: Repo, loopwright: Loopwright) -> None:
    """What the agent printed is kept as it was, also what is no text."""
    prints = agent("printf 'a\\377\\000b\\r\\n{\"type\":'; printf 'err\\376' >&2; echo 42 > answer")
    result = loopwright("run", "Fix it", *TEST, *prints, "--json").json
    raw = Path(result["artifacts"]["dir"]) / "raw"
    assert gzip.decompress((raw / "001.stdout.gz").read_bytes()) == b'a\xff\x00b\r\n{"type":'
    assert gzip.decompress((raw / "001.stderr.gz").read_bytes()) == b"err\xfe"


def test_an_escalated_run_leaves_the_same(repo: Repo, loopwright: Loopwright) -> None:
    """An escalated run leaves its diff, its log with what failed, and the commands to go on."""
    works = agent("echo x > notes; echo I tried")
    result = loopwright("run", "Fix it", *TEST, *works, "--max-iterations", 1, "--json").json
    assert "+x" in path(result, "diff").read_text()
    log = path(result, "log").read_text()
    assert "the answer is 41, not 42" in log
    assert f"loopwright resume {result['run_id'][-8:]}" in log and "loopwright close" in log
    assert path(result, "output").read_text() == "I tried"


def test_the_checkout_is_untouched(repo: Repo, loopwright: Loopwright) -> None:
    """A dirty checkout with a stash, staged and untracked files is the same to the byte afterwards."""
    repo.write("answer", "stashed\n")
    repo.git("stash", "-q")
    repo.git("tag", "v1")
    repo.write("README.md", "staged\n")
    repo.git("add", "README.md")
    repo.write("README.md", "staged and changed\n")
    repo.write("untracked file", "mine\n")
    repo.write(".git/hooks/post-commit", "#!/bin/sh\ntouch hook-ran\n").chmod(0o755)
    hostile = agent(
        "echo 42 > answer",
        "git stash -q; git stash pop -q; git config user.name Eve; git tag v2; git branch -f main; git branch other",
        "git commit -qam x; git push -q origin HEAD:main 2>/dev/null; true",
    )
    before = _state(repo)
    called = loopwright("run", "Fix it", *TEST, *hostile, "--json")
    assert called.code == 0
    repo.git("update-ref", "-d", f"refs/heads/{called.json['branch']}")
    assert _state(repo) == before
    assert not (repo.root / "hook-ran").exists()


def _state(repo: Repo) -> dict[str, object]:
    files = {
        str(place.relative_to(repo.root)): place.read_bytes()
        for place in sorted(repo.root.rglob("*"))
        if place.is_file() and not {".git", ".loopwright"} & set(place.parts)
    }
    return {
        "files": files,
        "index": repo.git("ls-files", "--stage"),
        "status": repo.git("status", "--porcelain=v2", "--branch"),
        "refs": repo.git("for-each-ref"),
        "stash": repo.git("stash", "list"),
        "config": (repo.root / ".git" / "config").read_text(),
        "head": (repo.root / ".git" / "HEAD").read_text(),
        "hooks": sorted(place.name for place in (repo.root / ".git" / "hooks").iterdir()),
    }


def test_the_state_is_kept_out_of_git(repo: Repo, loopwright: Loopwright) -> None:
    """The state's folder is excluded through .git/info/exclude, and no file of the user's is changed for it."""
    loopwright("run", "Fix it", *TEST, *agent("echo 42 > answer"))
    assert repo.git("status", "--porcelain") == ""
    assert "/.loopwright/" in (repo.root / ".git" / "info" / "exclude").read_text().splitlines()


def test_clones_lie_in_the_cache(repo: Repo, loopwright: Loopwright, cache: Path) -> None:
    """The clone is in the user's cache folder, and the agent works there."""
    result = loopwright("run", "Fix it", *TEST, *agent("pwd > where; echo 42 > answer"), "--json").json
    assert Path(repo.show(result["branch"], "where")).is_relative_to(cache / "clones" / result["run_id"])
