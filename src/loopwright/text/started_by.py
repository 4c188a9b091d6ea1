"""The words of a command -> what it runs where it only starts another: in a container, on a machine, in a sandbox."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

_DEEPEST = 8
"""So many words may stand between a program and what makes it start something."""


@dataclass(frozen=True, slots=True)
class _Starter:
    """A way to start a command."""

    names: tuple[str, ...]
    """The verbs after the program, in their order; where one of several may stand, they are parted by a bar."""
    places: int = 0
    """So many words name where it runs: a service, an image, a host."""
    flags: str = ""
    """Options that take no value; all others do, where `valued` does not say which."""
    valued: str = ""
    """Options that take a value; where some are named, no others do."""
    mark: str = ""
    """The word after which the command stands, where there has to be one."""

    def takes_value(self, option: str) -> bool:
        """Say whether the word after an option belongs to it."""
        if "=" in option:
            return False
        if self.flags:
            return option not in self.flags.split() and not _are_letters(option, self.flags)
        return option in self.valued.split()


def _are_letters(option: str, flags: str) -> bool:
    """Say whether an option is several of one letter: `-it`."""
    return option[:2] != "--" and all(f"-{letter}" in flags.split() for letter in option[1:])


_IN_CONTAINER = (
    "-i -t -d -T --rm --init --privileged --interactive --tty --detach --no-deps --build --read-only --quiet-pull -P "
    "--no-TTY --use-aliases --service-ports --remove-orphans --no-healthcheck -q --quiet"
)
_VIRTUAL = (
    "--with --extra --group --only-group -p --python --project --directory --env-file --package --from "
    "--with-requirements"
)
_SSH = "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w"
_COVERAGE = "--source --rcfile --omit --include --data-file --context --concurrency"
_STARTERS: dict[str, tuple[_Starter, ...]] = {
    **dict.fromkeys(
        ("docker", "podman", "nerdctl"),
        (
            _Starter(("compose", "run|exec"), 1, flags=_IN_CONTAINER),
            _Starter(("container", "run|exec"), 1, flags=_IN_CONTAINER),
            _Starter(("run|exec",), 1, flags=_IN_CONTAINER),
        ),
    ),
    **dict.fromkeys(("docker-compose", "podman-compose"), (_Starter(("run|exec",), 1, flags=_IN_CONTAINER),)),
    **dict.fromkeys(("kubectl", "oc"), (_Starter(("exec",), valued="-n --namespace -c --container", mark="--"),)),
    "ssh": (_Starter((), 1, valued=_SSH),),
    "nix": (_Starter(("develop|shell",), mark="-c|--command"),),
    "nix-shell": (_Starter((), mark="--run|--command"),),
    "uv": (_Starter(("run",), valued=_VIRTUAL), _Starter(("tool", "run"), valued=_VIRTUAL)),
    "uvx": (_Starter((), valued=_VIRTUAL),),
    "pipx": (_Starter(("run",), valued="--spec --python"),),
    **dict.fromkeys(("poetry", "pipenv"), (_Starter(("run",)),)),
    **dict.fromkeys(("pdm", "rye", "pixi", "hatch"), (_Starter(("run",), valued="-p -e --env --environment"),)),
    **dict.fromkeys(("conda", "mamba", "micromamba"), (_Starter(("run",), valued="-n --name -p --prefix --cwd"),)),
    "bundle": (_Starter(("exec",)),),
    "mise": (_Starter(("exec|x",), mark="--"), _Starter(("exec|x",))),
    **dict.fromkeys(("doppler", "op", "dotenvx", "aws-vault", "devbox"), (_Starter(("run|exec",), mark="--"),)),
    "direnv": (_Starter(("exec",), 1),),
    **dict.fromkeys(("npx", "bunx", "pnpx"), (_Starter((), valued="-p --package"),)),
    **dict.fromkeys(("npm", "pnpm", "yarn"), (_Starter(("exec|dlx",), valued="-p --package"),)),
    "coverage": (_Starter(("run",), valued=_COVERAGE),),
}
_SCRIPTS = frozenset({"pdm", "rye", "pixi", "hatch", "poetry", "pipenv", "uv", "npm", "pnpm", "yarn", "devbox"})
"""They also run what the project has named itself: `hatch run test`."""


def started(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Give the command that is started, and the words that say where; None where it is none of these."""
    program = words[0].rpartition("/")[2] if words else ""
    if program.startswith("python") and tuple(words[1:3]) == ("-m", "coverage"):
        words, program = words[2:], "coverage"
    for starter in _STARTERS.get(program, ()):
        places, command = _after(starter, words[1:])
        if command and not (program in _SCRIPTS and (command[0] in ("test", "tests") or ":" in command[0])):
            return command, (program, *places) if places else ()
    return None


def _after(starter: _Starter, words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give where a command runs, and the command; empty where it is not started so."""
    rest = list(words)
    for names in starter.names:
        rest = _without_options(starter, rest)
        if not rest or rest[0] not in names.split("|"):
            return (), ()
        rest = rest[1:]
    if starter.mark:
        marks = starter.mark.split("|")
        at = next((place for place, word in enumerate(rest) if word in marks), len(rest))
        return tuple(word for word in rest[:at][:_DEEPEST] if not word.startswith("-")), tuple(rest[at + 1 :])
    rest = _without_options(starter, rest)
    places, rest = rest[: starter.places], rest[starter.places :]
    return tuple(places), tuple(rest[1:] if rest[:1] == ["--"] else rest)


def _without_options(starter: _Starter, words: list[str]) -> list[str]:
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] != "--":
        at += 2 if starter.takes_value(words[at]) else 1
    return words[at + 1 :] if at < len(words) and words[at] == "--" and not starter.places else words[at:]
