"""A value that looks random is a secret where its name says so; names of things are not."""

from __future__ import annotations

import pytest

from loopwright.guard.redact import Masker

RANDOM = "q7Zr2Lm9Xc4Vb8Nd1Ks6Wt3Y"


@pytest.mark.parametrize(
    "text",
    [
        f"API_KEY={RANDOM}",
        f'export MY_SERVICE_TOKEN="{RANDOM}"',
        f"client_secret: '{RANDOM}'",
        f'{{"password": "{RANDOM}"}}',
        f'{{\\"apiKey\\": \\"{RANDOM}\\"}}',
        f"db.password := {RANDOM}",
        f"secret => {RANDOM}/+x==",
        "auth_token=0123456789abcdef0123456789abcdef",
        "api-key: 3f2b8c1e-1111-4222-8333-abcdefabcdef",
    ],
)
def test_an_assigned_secret_is_masked(text: str) -> None:
    """Whatever the syntax; the name stays."""
    counts: dict[str, int] = {}
    masked = Masker({}).text(text, counts)
    assert counts == {"assigned-secret": 1}
    assert "[masked:assigned-secret]" in masked and RANDOM not in masked
    assert masked[:3] == text[:3]


@pytest.mark.parametrize(
    "text",
    [
        "max_tokens=claude-sonnet-4-5-20250929",
        "token = getUserAccessTokenFromRequestHeader2",
        "password: correct-horse-battery-staple-42",
        f"commit = {RANDOM}",
        "secret = os.environ['MY_SERVICE_SECRET_V2']",
        "input_tokens: 12345678901234567890123",
        "tokenizer: sentencepiece-unigram-32000",
        "sha256 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        f"# the secret is not said here\n{RANDOM}",
    ],
)
def test_what_only_looks_so_is_left(text: str) -> None:
    """Names of models and functions, numbers, hashes, and what stands beside no such name."""
    assert Masker({}).text(text) == text
