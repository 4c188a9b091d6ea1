"""Which words are secrets, and which only look long."""

from __future__ import annotations

import json
import time

import pytest

from guard.secrets_made_up import BODY, HARMLESS, MIXED, PARTLY, PEM, SECRETS
from loopwright.guard.redact import Masker

PLACES = [
    "{}",
    "the key is {} today",
    "KEY={}\nnext line",
    '{{"text": "first\\n{}\\nlast"}}',
    "key: '{}',",
    "\x1b[1;31m{}\x1b[0m",
    "a\\u003d{}&b",
    "?key%3D{}&",
    "?key%3d{}&",
    "({})",
]


def masked(text: str) -> tuple[str, dict[str, int]]:
    counts: dict[str, int] = {}
    return Masker({}).text(text, counts), counts


@pytest.mark.parametrize("kind", SECRETS)
def test_a_key_is_masked_wherever_it_stands(kind: str) -> None:
    """Each known format becomes a mask with its name, and what stands around it stays."""
    for secret in SECRETS[kind]:
        for place in PLACES:
            expected = place.format(f"[masked:{kind}]"), {kind: 1}
            assert masked(place.format(secret)) == expected


@pytest.mark.parametrize(("kind", "before", "secret"), PARTLY)
def test_only_the_secret_part_is_masked(kind: str, before: str, secret: str) -> None:
    """Where a name or an address leads to a secret, these stay and the secret goes."""
    after = "@host/path" if kind == "url-password" else '"'
    assert masked(f"x {before}{secret}{after} y") == (f"x {before}[masked:{kind}]{after} y", {kind: 1})


@pytest.mark.parametrize("text", HARMLESS)
def test_ordinary_text_stays(text: str) -> None:
    """Hashes, class names, package names, prose and certificates are left as they are."""
    assert masked(f"{text}\n") == (f"{text}\n", {})


def test_a_private_key_is_masked_in_every_dress() -> None:
    """A key in a numbered listing, in a diff, and one whose end is missing are masked as well."""
    numbered = "\n".join(f"{number:>6}\t{line}" for number, line in enumerate(PEM.split("\n"), 1))
    arrows = json.dumps({"text": "\n".join(f"{n:>5}→{line}" for n, line in enumerate(PEM.split("\n"), 1))})
    diff = "\n".join(f"+{line}" for line in PEM.split("\n"))
    cut_short = PEM.split("\n-----END")[0] + "\n$ ls\n"
    for text in (numbered, arrows, diff, cut_short):
        result, counts = masked(text)
        assert counts == {"private-key": 1}
        assert MIXED[9:30] not in result
    assert json.loads(masked(arrows)[0]) == {"text": "    1→[masked:private-key]"}
    assert masked(cut_short)[0] == "[masked:private-key]\n$ ls\n"


def test_two_lines_of_json_stay_two() -> None:
    """A key that begins in one line of JSON and seems to end in another doesn't swallow what is between."""
    lines = (
        '{"a": "-----BEGIN PRIVATE KEY-----\\n' + BODY.replace("\n", "\\n") + '"}\n{"b": "-----END PRIVATE KEY-----"}\n'
    )
    result, counts = masked(lines)
    assert [json.loads(line) for line in result.splitlines()] == [
        {"a": "[masked:private-key]"},
        {"b": "-----END PRIVATE KEY-----"},
    ]
    assert counts == {"private-key": 1}


@pytest.mark.parametrize(
    "hostile",
    [
        "sk-ant-",
        "eyJ",
        "eyJhbGciOiJIUzI1NiIsInR5.",
        "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\n1 1 1 ",
        "a:b@",
        "://a:b",
        "://a:b@",
        "://a:/@/b@/",
        "://a:" + "/b" * 400 + "@",
        "://a:" + "b@" * 400,
        "Authorization: Bearer a",
        "Authorization: Bearer " + "a" * 3000 + "!",
        "-",
        "\\n",
        " " + MIXED[:20],
    ],
)
def test_hostile_input_takes_no_time(hostile: str) -> None:
    """A megabyte that begins secrets over and over is masked in well under a second of the processor's time."""
    text = hostile * (1_000_000 // len(hostile))
    began = time.process_time()
    stream = Masker({}).stream()
    for first in range(0, len(text), 65_536):
        stream.feed(text[first : first + 65_536].encode())
    stream.close()
    assert time.process_time() - began < 1


def test_a_private_key_that_never_ends_is_let_go() -> None:
    """A beginning without an end holds the output back no longer than a key can be."""
    stream = Masker({}).stream()
    out = stream.feed(b"-----BEGIN PRIVATE KEY-----\n" + b"this is prose, no key\n" * 2000)
    assert out.startswith(b"-----BEGIN PRIVATE KEY-----\nthis is prose")
    assert stream.counts == {}
