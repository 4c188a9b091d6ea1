"""`loopwright feedback`, and the function behind it."""

from __future__ import annotations

import loopwright as library
from world import Loopwright, Repo, agent


def test_thumbs_are_kept_and_shown(repo: Repo, loopwright: Loopwright) -> None:
    """Up and down, each with who says it and why, stand below the run; a secret in a comment is masked."""
    run_id = loopwright("run", "Fix it", "--test", "sh test.sh", *agent("echo 42 > answer"), "--json").json["run_id"]
    done = loopwright("feedback", "last", "up", "--comment", "just what I wanted", "--by", "Ada", "--json")
    assert (done.code, done.json["run_id"], done.json["is_up"]) == (0, run_id, True)
    secret = "ghp_" + "a1B2" * 9
    given = library.feedback(run_id, False, f"it says {secret}", "chat: Bob")
    assert secret not in given.comment
    shown = loopwright("show").out
    assert "up by Ada: just what I wanted" in shown
    assert "down by chat: Bob: it says" in shown


def test_a_thumb_down_is_a_signal(repo: Repo, loopwright: Loopwright) -> None:
    """A run that was looked at before is a rejection once a human is not content, and none when they are after all."""

    def rejections() -> list[str]:
        found = loopwright("signals", "--type", "quality_rejection", "--json").json
        return [signal["description"] for signal in found if signal["category"] == "feedback"]

    loopwright("run", "Fix it", "--test", "sh test.sh", *agent("echo 42 > answer"))
    assert rejections() == []
    loopwright("feedback", "last", "down", "--comment", "the wrong answer")
    assert rejections() == ["a human is not content with the run: the wrong answer"]
    assert "the wrong answer" in loopwright("show").out
    loopwright("feedback", "last", "up")
    assert rejections() == []


def test_what_can_not_be_meant_is_refused(repo: Repo, loopwright: Loopwright) -> None:
    """A run that is not there, another word and an empty comment are refused."""
    assert loopwright("feedback", "last", "up").code == 2
    assert "sideways" in loopwright("feedback", "last", "sideways").err
    loopwright("run", "Fix it", "--test", "sh test.sh", *agent("echo 42 > answer"))
    assert loopwright("feedback", "last", "up", "--comment", " ").code == 2
