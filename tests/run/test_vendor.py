"""Versions, hosts and prices of agents."""

from __future__ import annotations

from pathlib import Path

import pytest

from loopwright.records.budget import Usage
from loopwright.run.vendor import host_of, is_older, priced, usage_event, version_of


@pytest.mark.parametrize(
    ("says", "version"),
    [("echo tool 1.22.3", "1.22.3"), ("echo 2026.09.12-4852336 >&2", "2026.09.12-4852336"), ("", "")],
)
def test_a_program_is_asked_for_its_version(tmp_path: Path, says: str, version: str) -> None:
    """The version is found among whatever it prints; a program that is not there has none."""
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\n{says}\n")
    program.chmod(0o755)
    assert version_of(str(program)) == version
    assert version_of(str(tmp_path / "nothing")) == ""


def test_versions_are_compared_by_their_numbers() -> None:
    """0.9 is older than 0.61 in no way but by its numbers; one that is not known is not older."""
    assert is_older("0.9.0", "0.61.0")
    assert not is_older("0.61.0-nightly.1", "0.61.0")
    assert not is_older("1.0.0", "0.61.0")
    assert not is_older("", "0.61.0")


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://127.0.0.1:8080/v1", "127.0.0.1:8080"),
        ("https://a.example/v1", "a.example"),
        ("", ""),
        ("hm", ""),
        ("http://a:b", ""),
    ],
)
def test_an_address_has_a_host(url: str, host: str) -> None:
    """The port is told where the address has one; what is no address has no host."""
    assert host_of(url) == host


def test_a_model_that_nobody_knows_costs_nothing() -> None:
    """Without a price, tokens are told and no cost is made up."""
    tokens = Usage(1200, 300, 40)
    assert priced([("a model that nobody sells", tokens)]) == 0.0
    assert usage_event(tokens, 0.5).text == "1,240 tokens in, 300 out, $0.5000"
