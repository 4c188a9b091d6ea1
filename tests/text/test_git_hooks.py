"""Commands that pass over hooks; the table of the detector `tamper` has more."""

from __future__ import annotations

import pytest

from loopwright.text.commands import parts_of
from loopwright.text.git_hooks import passes_over


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("git commit --no-verify", "git commit passes over"),
        ("git push --no-verify", "git push passes over"),
        ("SKIP=ruff git commit -m x", "git commit passes over"),
        ("git -c CORE.hooksPath= commit -m x", "git commit passes over"),
        ("GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath git commit -m x", "git commit passes over"),
        ("git config --global core.hooksPath /tmp/no-hooks", "git config leads away"),
        ("git config unset core.hooksPath", "git config leads away"),
        ("export LEFTHOOK=0", "are switched off"),
        ("rm -rf .husky", "are taken away"),
        ("chmod 644 .git/hooks/pre-push", "are taken away"),
        ("lefthook uninstall", "are taken away"),
    ],
)
def test_passed_over(command: str, words: str) -> None:
    """Each way is told in words."""
    assert words in passes_over(parts_of(command)[0])


@pytest.mark.parametrize(
    "command",
    [
        *("git commit -m x", "git status -n", "git log --no-verify", "export SKIP=1", "export HUSKY=1", "rm -rf hooks"),
        *(
            "git config core.hooksPath",
            "git config core.hooksPath /home/me/project/.githooks",
            "git config core.editor x",
        ),
        *(
            "mv pre-commit .git/hooks/pre-commit",
            "chmod 755 .git/hooks/pre-commit",
            "pre-commit install",
            "rm .git/hooks/pre-push.old",
            "mv .husky",
        ),
    ],
)
def test_left_alone(command: str) -> None:
    """What hooks are used by, or looked at, is no harm to them."""
    assert not any(map(passes_over, parts_of(command)))
