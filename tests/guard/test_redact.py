"""Chunks, however they are cut, give what the whole gives."""

from __future__ import annotations

import json
import tracemalloc
from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from guard.secrets_made_up import MIXED, PARTLY, PEM, SECRETS
from loopwright.guard.redact import LINE_LIMIT, Masker

KNOWN = "tR4mp0line-99/x"
MASKER = Masker({"SOME_SECRET": KNOWN})
WHOLE = [secret.encode() for kind in SECRETS.values() for secret in kind] + [KNOWN.encode()]
LED = [(before + secret).encode() + b"@" for _, before, secret in PARTLY]
NOISE = st.one_of(
    st.binary(max_size=40),
    st.sampled_from(
        [b"\n", b" ", b"\0", b"\xff\xfe", b'"', b"\\n", b"-----", b"-----BEGIN PRIVATE KEY-----\n", b"eyJ"]
    ),
    st.sampled_from([b"x" * 70_000, b"word " * 14_000, b"a@b://c:d" * 3000]),
)
SEPARATE = st.sampled_from([b" ", b"\n", b'"', b"=", b"\0", b"\xff", b", "])


@st.composite
def outputs(draw: st.DrawFn) -> tuple[bytes, list[bytes]]:
    """Give what a program might print, and the secrets in it."""
    parts: list[bytes] = []
    secrets: list[bytes] = []
    for _ in range(draw(st.integers(0, 5))):
        parts.append(draw(NOISE))
        secrets.append(draw(st.sampled_from(WHOLE + LED)))
        parts += [draw(SEPARATE), secrets[-1], draw(SEPARATE)]
    return b"".join([*parts, draw(NOISE)]), secrets


def cut(whole: bytes, places: list[float]) -> list[bytes]:
    borders = [0, *sorted(int(place * len(whole)) for place in places), len(whole)]
    return [whole[first:last] for first, last in pairwise(borders)]


def streamed(chunks: list[bytes]) -> tuple[bytes, dict[str, int]]:
    stream = MASKER.stream()
    out = b"".join(stream.feed(chunk) for chunk in chunks) + stream.close()
    return out, stream.counts


@settings(deadline=None, max_examples=150)
@given(outputs(), st.lists(st.floats(0, 1), max_size=12))
@example((b"-----BEGIN PRIVATE KEY-----\n" + b"A" * 70_000, []), [0.3, 0.5])
@example((b"Authorization: Bearer " + b"A" * 70_000, []), [0.3, 0.99])
def test_any_cut_gives_the_same(output: tuple[bytes, list[bytes]], places: list[float]) -> None:
    """Cuts change neither the output nor the counts, and no secret or beginning of one is left."""
    whole, secrets = output
    expected = streamed([whole])
    assert streamed(cut(whole, places)) == expected
    alone = MASKER.stream()
    assert (alone.close(whole), alone.counts) == expected
    for secret in secrets:
        if secret in WHOLE:
            assert secret[:12] not in expected[0] or secret.startswith(b"-----BEGIN")
        assert secret not in expected[0]


def test_every_single_cut_gives_the_same() -> None:
    """A secret of each kind may be cut at each of its bytes, also on a line that is too long to be held."""
    for filler in (b"line\n", b"x" * (LINE_LIMIT + 100) + b" "):
        for secret in [SECRETS["github-token"][0], SECRETS["jwt"][0], PEM, "Authorization: Bearer " + MIXED, KNOWN]:
            whole = filler + secret.encode() + b" end\n"
            expected = streamed([whole])
            assert sum(expected[1].values()) == 1
            for place in range(len(filler) - 1, len(whole), 5):
                assert streamed([whole[:place], whole[place:]]) == expected


def test_byte_by_byte_gives_the_same() -> None:
    """Even single bytes are put together again."""
    whole = "\n".join(secret for kind in SECRETS.values() for secret in kind).encode()
    out, counts = streamed([bytes([byte]) for byte in whole])
    assert (out, counts) == streamed([whole])
    assert counts == {kind: len(secrets) for kind, secrets in SECRETS.items()}


def test_whole_lines_are_given_at_once() -> None:
    """Nothing but the unfinished line is held back."""
    stream = MASKER.stream()
    assert stream.feed(b"one\ntwo\nthr") == b"one\ntwo\n"
    assert stream.feed(b"ee\n") == b"three\n"
    assert stream.close() == b""


def test_memory_stays_small() -> None:
    """A line without an end is passed on in bounded memory."""
    stream, given_back = MASKER.stream(), 0
    chunk = b"x" * 65_536
    tracemalloc.start()
    for _ in range(200):
        given_back += len(stream.feed(chunk))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert given_back + len(stream.close()) == 200 * len(chunk)
    assert peak < 2_000_000


def test_overlapping_secrets_share_a_mask() -> None:
    """A known secret that is a key of a known format is named for the format and counted once."""
    key = SECRETS["github-token"][0]
    stream = Masker({"GITHUB_TOKEN": key}).stream()
    assert stream.close(f"Authorization: Bearer {key}".encode()) == b"Authorization: Bearer [masked:github-token]"
    assert (stream.counts, stream.total) == ({"github-token": 1}, 1)


def test_lines_of_json_stay_json() -> None:
    """Whatever is masked in a line of JSON, the line can be read."""
    secrets = [secret for kind in SECRETS.values() for secret in kind] + [
        before + secret + "@host" for _, before, secret in PARTLY
    ]
    for secret in [*secrets, KNOWN]:
        line = json.dumps({"text": f"first\n{secret}\nlast", "next": 1})
        out, counts = streamed([line.encode() + b"\n"])
        assert sum(counts.values()) == 1
        assert json.loads(out)["text"].startswith("first\n")
        assert json.loads(out)["text"].endswith("\nlast")


def test_plain_data_is_masked_throughout() -> None:
    """Texts at any depth and keys of objects are masked and counted; the rest stays, and the original too."""
    key = SECRETS["npm-token"][0]
    data = {"input": {"command": f"echo {key}", "list": [key, 1, None, True]}, key: 2.5}
    counts: dict[str, int] = {}
    mask = "[masked:npm-token]"
    assert MASKER.data(data, counts) == {
        "input": {"command": f"echo {mask}", "list": [mask, 1, None, True]},
        mask: 2.5,
    }
    assert counts == {"npm-token": 3}
    assert data["input"] == {"command": f"echo {key}", "list": [key, 1, None, True]}


def test_text_that_is_no_text_stays() -> None:
    """Halves of surrogate pairs and NUL pass unharmed beside a secret."""
    assert MASKER.text(f"\ud800\0 {KNOWN} é") == "\ud800\0 [masked:environment-secret] é"
    assert MASKER.text("") == ""
