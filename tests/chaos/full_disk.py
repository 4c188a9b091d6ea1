"""A run on a small disk of its own, which is full at a given moment: `full_disk.py MOMENT FOLDER`; prints what it saw.

It has to be started where mounting is allowed (`unshare -rm`), and mounts for itself alone.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

SIZE_MB = 48
PROGRAM = Path(sys.executable).with_name("loopwright")


def fill(disk: Path) -> None:
    """Take all that is left."""
    with (disk / "filler").open("ab", buffering=0) as file:
        for size in (1_000_000, 10_000, 100):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", "-C", str(folder), "-c", "user.name=A", "-c", "user.email=a@b", *words], check=True)


def main(moment: str, folder: str) -> None:
    disk = Path(folder)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={SIZE_MB}m", "none", folder], check=True)
    repository = disk / "project"
    repository.mkdir()
    git(repository, "init", "-q")
    (repository / "answer").write_text("41\n")
    (repository / "test.sh").write_text("grep -qx 42 answer\n")
    (repository / "loopwright.toml").write_text('[limits]\nfree_disk = "4MB"\n')
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "start")
    agent = disk.parent / "agent.sh"
    agent.write_text(
        "cat > /dev/null; for n in 1 2 3 4 5 6 7 8; do echo word $n; done; echo 42 > answer\n"
        + (
            f"touch {disk.parent}/now; while [ -e {disk.parent}/now ]; do sleep 0.05; done\n"
            if moment == "work"
            else ""
        )
        + "for n in $(seq 2000); do echo and some more words, number $n; done\n"
    )
    environment = {**os.environ, "HOME": folder, "XDG_CACHE_HOME": f"{folder}/cache"}
    argv = [str(PROGRAM), "run", "Fix it", "--test", "sh test.sh", "--agent-command", f"sh {agent}"]
    if moment == "start":
        fill(disk)
    with (disk.parent / "said").open("w") as said:
        process = subprocess.Popen(argv, cwd=repository, env=environment, stdout=said, stderr=said)
    if moment == "work":
        until(lambda: (disk.parent / "now").exists(), process)
        fill(disk)
        (disk.parent / "now").unlink()
    until(lambda: "paused" in words(disk) or "waiting" in words(disk), process)
    time.sleep(1.0)
    waited = process.poll() is None
    (disk / "filler").unlink()
    room = time.monotonic()
    code = process.wait(60)
    store = repository / ".loopwright/store.sqlite"
    asked = ["PRAGMA integrity_check", "SELECT status FROM runs", "SELECT count(*) FROM events WHERE kind = 'message'"]
    import sqlite3

    with sqlite3.connect(store) as connection:
        found = [connection.execute(question).fetchone()[0] for question in asked]
    print(json.dumps([waited, code, time.monotonic() - room, *found, words(disk)]))


def words(disk: Path) -> str:
    return (disk.parent / "said").read_text()


def until(condition: object, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 20
    while not condition():  # type: ignore[operator]
        if time.monotonic() > deadline or process.poll() is not None:
            raise SystemExit(f"it never came: {(Path(sys.argv[2]).parent / 'said').read_text()}")
        time.sleep(0.02)


if __name__ == "__main__":
    main(*sys.argv[1:])
