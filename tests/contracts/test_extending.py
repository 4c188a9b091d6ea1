"""What the documentation shows as an agent, a format, a detector, a model or a registry is one."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from loopwright.release.first_prompts import prompt_template
from world import Repo, environment

GUIDES = Path(__file__).parents[2] / "docs" / "extending"
AIDER = """#!/bin/sh
[ "$1" = --version ] && { echo aider 0.99.1; exit; }
for file; do :; done
grep -q 'Mend the answer' "$file" && echo 42 > answer
"""


def test_the_agent_of_the_guide_works(repo: Repo, tmp_path: Path) -> None:
    """The guide's file, in a package of its own with an entry point, runs a task to its end."""
    package = _packaged(tmp_path, "agents", "aider = aider_agent:Aider", "aider_agent")
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "aider").write_text(AIDER)
    (tools / "aider").chmod(0o755)
    argv = [
        str(Path(sys.executable).with_name("loopwright")),
        "run",
        "Mend the answer",
        "--test",
        "sh test.sh",
        "--agent",
        "aider",
    ]
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    env = environment(PYTHONPATH=str(package), PATH=path)
    done = subprocess.run(
        [*argv, "--sandbox", "off"], cwd=repo.root, env=env, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert repo.query("SELECT agent FROM attempts") == [("aider",)]
    assert "0.99.1" in repo.query("SELECT environment FROM attempts")[0][0]


def test_the_format_of_the_guide_works(tmp_path: Path) -> None:
    """The guide's file, in a package of its own with an entry point, is read by a scan."""
    package = _packaged(tmp_path, "formats", "parley = parley_format:Parley", "parley_format")
    lines = [
        {"talk": "s1", "who": "me", "text": "Fix the login", "at": "2026-11-16T10:00:00Z"},
        {"talk": "s1", "who": "it", "text": "Done.", "id": "a", "model": "gpt-5", "in": 10, "out": 4},
        {"talk": "s1", "who": "it", "text": "Really.", "id": "a", "model": "gpt-5", "in": 10, "out": 7},
        {"something": "else"},
    ]
    (tmp_path / "talk.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    argv = [str(Path(sys.executable).with_name("loopwright")), "scan", "talk.jsonl", "--json"]
    env = environment(PYTHONPATH=str(package))
    done = subprocess.run(argv, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["totals"]["sessions"], told["totals"]["output_tokens"], told["totals"]["raw_lines"]) == (1, 7, 1)
    assert (told["by_session"][0]["session_id"], told["by_session"][0]["agent"]) == ("s1", "parley")


def test_the_detector_of_the_guide_works(tmp_path: Path) -> None:
    """The guide's file, in a package of its own with an entry point, finds its signal in a scan, as it is set."""
    package = _packaged(tmp_path, "detectors", "asked_again = asked_again:AskedAgain", "asked_again")
    said = ["Fix the login, please do", "go on", "go on", "Fix the login,  please do"]
    common = {"sessionId": "s1", "cwd": "/shop", "type": "user", "version": "2.1.41"}
    lines = [
        common
        | {"uuid": f"u{n}", "timestamp": f"2026-11-16T10:0{n}:00.000Z", "message": {"role": "user", "content": text}}
        for n, text in enumerate(said)
    ]
    (tmp_path / "s1.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    argv = [str(Path(sys.executable).with_name("loopwright")), "scan", "s1.jsonl", "--json"]
    env = environment(PYTHONPATH=str(package))
    done = subprocess.run(argv, cwd=tmp_path, env=env, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    found = [
        signal for signal in json.loads(done.stdout)["by_session"][0]["signals"] if signal["type"] == "asked_again"
    ]
    assert [signal["events"] for signal in found] == [[1, 4]]


def test_the_model_of_the_guide_works(repo: Repo, tmp_path: Path) -> None:
    """The guide's file, in a package of its own with an entry point, answers the questions of a rubric."""
    package = _packaged(tmp_path, "models", "echo = echo_model:Echo", "echo_model")
    repo.write("loopwright.toml", '[models]\ncritic = "echo:because"\n')
    argv = [str(Path(sys.executable).with_name("loopwright")), "run", "Fix it", "--test", "sh test.sh"]
    flags = ["--task-type", "bug_fix", "--agent-command", "sh -c 'echo 42 > answer'"]
    env = environment(PYTHONPATH=str(package))
    done = subprocess.run(
        [*argv, *flags], cwd=repo.root, env=env, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert repo.query("SELECT model, items LIKE '%because%' FROM evaluations") == [("echo:because", 1)]


def test_the_registry_of_the_guide_works(repo: Repo, tmp_path: Path) -> None:
    """The guide's file, in a package of its own with an entry point, gives its prompts and takes what is in use."""
    package = _packaged(tmp_path, "registries", "shelf = shelf_registry:Shelf", "shelf_registry")
    repo.write("loopwright.toml", '[registry]\nkind = "shelf"\nprefix = "ours."\n')
    file = tmp_path / "ours.worker.docs.txt"
    file.write_text(f"{prompt_template('worker/docs')}\nMind the glossary.\n")
    env = environment(PYTHONPATH=str(package), SHELF=str(tmp_path))
    for words in (["import"], ["rollback", "worker/docs"]):
        argv = [str(Path(sys.executable).with_name("loopwright")), "prompts", *words]
        done = subprocess.run(argv, cwd=repo.root, env=env, capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr
    assert file.read_text() == prompt_template("worker/docs")
    assert repo.query("SELECT author FROM versions WHERE name = 'worker/docs' AND number = 2") == [("registry",)]


def _packaged(tmp_path: Path, group: str, entry: str, module: str) -> Path:
    """Put the code of a guide into a package that is installed, as far as Python sees."""
    package = tmp_path / "packages"
    (package / f"{module}-1.dist-info").mkdir(parents=True)
    (package / f"{module}-1.dist-info" / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1\n")
    (package / f"{module}-1.dist-info" / "entry_points.txt").write_text(f"[loopwright.{group}]\n{entry}\n")
    code = re.search(r"```python\n(.*?)```", (GUIDES / f"{group}.md").read_text(), re.S)
    assert code
    (package / f"{module}.py").write_text(code.group(1))
    return package
