"""error_loop: waiting for something and going from item to item, and loops that look like it."""

from __future__ import annotations

import pytest

from loopwright.ingest.masking import bare
from loopwright.measure.detectors.error_loop import ErrorLoop
from measure.detectors.test_error_loop import NO_RULE, Make, calls, fails, row, times
from measure.stretches import Stretch

REFUSED = "curl: (7) Failed to connect to localhost port 8080: Connection refused"

LOOPS: dict[str, Make] = {
    "the same case": times(3, fails("Bash", "solve.py < case1.txt", "error: wrong answer")),
    "one script after the other": row(
        *(fails("Bash", f"python3 try{at}.py", "ImportError: No module named x") for at in (1, 2, 3))
    ),
    "a file that is read and not there": times(
        3, fails("Bash", "cat out/a.txt", "cat: out/a.txt: No such file or directory")
    ),
    "a lock file that does not fit": times(3, fails("Bash", "npm ci", "npm error: package-lock.json is out of date")),
    "in a container": times(3, fails("Bash", "docker exec web make", "make: *** [all] Error 1", 2)),
    "a build after a pause": times(3, fails("Bash", "sleep 5 && make", "make: *** [all] Error 1", 2)),
    "a state is asked for wrongly": times(3, fails("Bash", "docker inspect --foo web", "unknown flag: --foo", 125)),
    "a name that others have not": times(
        3, fails("Bash", "kubectl get podz", "error: the server doesn't have a resource type podz")
    ),
    "a target that is called status": times(3, fails("Bash", "make status", NO_RULE, 2)),
    "the same page, not there": times(3, fails("Bash", "curl -sSf x.test/a?id=1", "curl: (22) error: 404", 22)),
}

NONE: dict[str, Make] = {
    "the lock of a state": times(
        3, fails("Bash", "terraform plan", "Error: Error acquiring the state lock\nLock Info:\n  ID: 1")
    ),
    "has a file come": times(
        4, fails("Bash", "ls out/render.mp4", "ls: cannot access 'out/render.mp4': No such file or directory", 2)
    ),
    "has a file come, silently": times(4, fails("Bash", "test -f out/render.mp4", "")),
    "case after case": row(
        *(fails("Bash", f"solve.py < case{at}.txt | diff - case{at}.out", "< 1\n> 2\nerror") for at in (1, 2, 3, 4))
    ),
    "case after case, as arguments": row(
        *(fails("Bash", f"python3 solve.py in/case{at}.txt", "error: wrong answer") for at in (1, 2, 3, 4))
    ),
    "another container each": row(
        *(fails("Bash", f"docker exec {name} make", "error: no such container") for name in ("a", "b", "c"))
    ),
    "waiting for a server": times(4, fails("Bash", "curl -s localhost:8080/health", REFUSED, 7)),
    "sleep, then ask": times(4, fails("Bash", "sleep 5 && curl localhost:8080", REFUSED, 7)),
    "waiting for a job of others": times(
        4, fails("exec_command", "gh run watch 77 --exit-status", "X failed: still running")
    ),
    "checks of a pull request are pending": times(
        4, fails("Bash", "gh pr checks 12", "build\tpending\t0\nlint\tfail\t0", 8)
    ),
    "git waits for a lock": times(
        3,
        fails(
            "Bash", "git fetch", "fatal: Unable to create '/r/.git/index.lock': File exists. Another git process", 128
        ),
    ),
    "a loop of the shell that waits": times(3, fails("Bash", "until pg_isready; do sleep 1; done", "timed out", 124)),
    "the output of a task in the background": times(4, calls("BashOutput", "error: no new output", bash_id="b1")),
    "a terminal that is looked at": times(4, calls("write_stdin", "error: still running", session_id=7, chars="")),
    "page after page": row(
        *(fails("Bash", f"gh api 'repos/a/b/issues?page={page}'", "HTTP 404: Not Found") for page in (1, 2, 3))
    ),
    "offset after offset": row(
        *(fails("Bash", f"./fetch --offset {at}", "error: not found") for at in (100, 200, 300))
    ),
    "item after item": row(
        *(fails("Bash", f"curl -s x.test/items?id={item}", "error: 404 not found", 22) for item in (1, 2, 3))
    ),
    "item after item, by their paths": row(
        *(fails("Bash", f"curl -sSf x.test/items/{item}", "curl: (22) error: 404", 22) for item in (1, 2, 3))
    ),
    "item after item, of a server": row(
        *(calls("mcp__tracker__get", "Error: 404 issue not found", issue=f"AB-{item}") for item in (1, 2, 3))
    ),
    "is a container healthy": times(4, fails("Bash", "docker inspect web | grep healthy", "")),
    "is a service up": times(4, fails("Bash", "sudo systemctl is-active web", "inactive", 3)),
    "is a port open": times(4, fails("Bash", "nc -z db 5432", "")),
    "does a process run": times(4, fails("Bash", "if ! pgrep -f web; then exit 1; fi", "")),
    "is a database there": times(4, fails("Bash", "aws rds describe-db-instances --id x | grep AVAILABLE", "")),
    "is it rolled out": times(4, fails("Bash", "kubectl -n web rollout status deploy/web", "error: timed out")),
    "is a pod there": times(4, fails("Bash", "kubectl get pod web", "Error from server (NotFound): not found")),
    "a state on another machine": times(4, fails("Bash", "ssh web 'systemctl is-active x'", "failed", 3)),
    "a probe in a container": times(4, fails("Bash", "docker exec db pg_isready", "no response", 2)),
    "is it healthy": times(4, fails("Bash", "curl -sSf x.test/healthz", "curl: (22) error: 404", 22)),
    "a page that says nothing": times(4, fails("Bash", "curl -sf x.test/a", "", 22)),
    "a loop of the shell that probes": times(4, fails("Bash", "for i in 1 2; do nc -z db 1 && break; done", "")),
    "a tool that tells a state": times(4, calls("mcp__ci__get_build_status", "error: it still runs", build="7")),
}


@pytest.mark.parametrize("why", LOOPS)
def test_a_loop(why: str) -> None:
    """A build after a pause, and a question that is asked wrongly, are tried in vain."""
    assert len(LOOPS[why](Stretch()).found(ErrorLoop())) == 1


@pytest.mark.parametrize("why", NONE)
def test_no_loop(why: str) -> None:
    """Who asks for a state again waits, and who asks for the next page or item goes on."""
    assert NONE[why](Stretch()).found(ErrorLoop()) == []


@pytest.mark.parametrize("tool", ["Bash", "Read"])
def test_without_content(tool: str) -> None:
    """Where no content is kept, nobody knows whether it was the same."""
    stretch = Stretch()
    for number in range(4):
        stretch.call(tool, command=f"make step{number}" if tool == "Bash" else None).result("error", failed=True)
    stretch.events = [bare(event) for event in stretch.events]
    assert stretch.found(ErrorLoop()) == []
