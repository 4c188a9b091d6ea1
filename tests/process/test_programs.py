"""Places, versions, hosts and prices of agents."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from loopwright.process.programs import find_program, host_of, is_too_old, program_to_start, version_of
from loopwright.records.host import read_hosts


@pytest.mark.parametrize(
    ("says", "version", "trouble"),
    [
        ("echo tool 1.22.3", "1.22.3", ""),
        ("echo 2026.09.12-4852336 >&2", "2026.09.12-4852336", ""),
        ("", "", "said `` and no version"),
        ("echo Welcome!", "", "said `Welcome!` and no version"),
        ("echo 1.22.3; exit 1", "", "said `1.22.3` and no version"),
    ],
)
def test_a_program_is_asked_for_its_version(tmp_path: Path, says: str, version: str, trouble: str) -> None:
    """The version is found among whatever it prints; where there is none, that is said, and what there was instead."""
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\n{says}\n")
    program.chmod(0o755)
    assert version_of(str(program)) == (version, trouble)
    assert "did not work" in version_of(str(tmp_path / "nothing"))[1]


def test_versions_are_compared_by_their_numbers() -> None:
    """0.9 is older than 0.61 in no way but by its numbers; one that is not known is too old."""
    assert is_too_old("0.9.0", "0.61.0")
    assert not is_too_old("0.61.0-nightly.1", "0.61.0")
    assert not is_too_old("1.0.0", "0.61.0")
    assert is_too_old("", "0.61.0")


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://127.0.0.1:8080/v1", "127.0.0.1:8080"),
        ("https://a.example/v1", "a.example"),
        ("http://[::1]:8080/v1", "[::1]:8080"),
        ("http://[::1]", "[::1]"),
        ("https://me:secret@A.example:8443/v1", "a.example:8443"),
        ("http://localhost:/v1", "localhost"),
        ("http://[::1", ""),
        ("", ""),
        ("hm", ""),
        ("http://a:b", ""),
    ],
)
def test_an_address_has_a_host(url: str, host: str) -> None:
    """It is as a sandbox reads it, with its port where it has one; what is no address has no host."""
    assert host_of(url) == host
    if host:
        assert read_hosts([host])[0].name == urlsplit(url).hostname


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a repository that brings a program and is worked in, and a folder of the user's that links to it."""
    brought, own = tmp_path / "repository" / "bin" / "tool", tmp_path / "own"
    brought.parent.mkdir(parents=True)
    brought.write_text("#!/bin/sh\n")
    brought.chmod(0o755)
    (tmp_path / "repository" / ".git").touch()  # as a worktree has it
    own.mkdir()
    (own / "tool").symlink_to(brought)
    monkeypatch.chdir(brought.parent)
    return tmp_path / "repository"


def test_a_program_of_the_repository_is_nobodys(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither by its folder, nor by a relative one, nor by a link; a path that was chosen is taken as it is."""
    monkeypatch.setenv("PATH", f"{checkout / 'bin'}:.::{checkout.parent / 'own'}")
    assert find_program("tool") == ""
    assert program_to_start("tool") == "/nonexistent/tool"
    assert find_program("./tool") == find_program(str(checkout / "bin" / "tool")) == str(checkout / "bin" / "tool")
    assert find_program("./other") == ""


def test_a_home_under_git_has_the_users_programs(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the repository is the home itself, its programs are the user's; those of a workspace never are."""
    monkeypatch.setenv("PATH", str(checkout / "bin"))
    monkeypatch.setenv("HOME", str(checkout))
    assert find_program("tool") == str(checkout / "bin" / "tool")
    assert find_program("tool", checkout / "bin") == ""
