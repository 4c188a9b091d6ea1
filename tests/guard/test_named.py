"""What is told to be a secret by its name is masked, and ordinary values of such names are not."""

from __future__ import annotations

import pytest

from loopwright.guard.redact import Masker

SECRETS = [
    ("DB_PASS=", "k3xQ9vL2", ""),
    ("PGPWD=", "w8Rk2mZq71", ""),
    ("ENCRYPTION_KEY=", "q7Zr2Lm9Xc4Vb8Nd1Ks6Wt3Y", ""),
    ("FERNET_KEY: ", "Zr2Lm9Xc4Vb8Nd1Ks6Wt3Yq7Zr2Lm9Xc4Vb8Nd1Ks6W=", ""),
    ("WEBHOOK_SIGNING_KEY=", "q7zr2lm9xc4vb8nd1ks6wt3y5p0a", ""),
    ("CREDENTIALS='", "k3xQ9vL2w8Rk", "'"),
    ("SECRET_KEY = '", "a8s7d6f5g4h3j2k1l0q9w8e7r6t5y4u3", "'"),
    ('"password": "', "Tr0ub4dor!$x", '"'),
    ("export API_KEY=", "q7Zr2Lm9Xc4Vb8Nd", ""),
    ("https://", "q7Zr2Lm9Xc4Vb8Nd1Ks6", "@git.example.com/a.git"),
    ("https://api.example.com/v1?key=", "q7Zr2Lm9Xc4Vb8Nd1K", "&page=2"),
    ("https://blob.example.net/c?sp=r&sig=", "q7Zr2Lm9Xc4%2BVb8Nd1Ks6Wt3Y%3D", ""),
    ("deploy --token ", "q7Zr2Lm9Xc4Vb8Nd", " --yes"),
    ("curl -s -u admin:", "k3xQ9vL2", " https://example.com"),
    ("Cookie: session=", "q7Zr2Lm9Xc4Vb8Nd1Ks6Wt3Y", ""),
    ("client: ", "GOCSPX-" + "q7Zr2Lm9Xc4Vb8Nd1Ks6Wt3Y-_ab", ""),
]

HARMLESS = [
    "DB_PASS=postgres",
    "DB_PASS=changeme",
    "PASSWORD=$DB_PASSWORD",
    "API_KEY=${API_KEY:-none}",
    "API_KEY=<token>",
    "TOKEN=xxxxxxxxxxxxxxxxxxxxxxxxxx",
    "API_KEY=your-api-key-goes-here-1234",
    "const apiKey = process.env.API_KEY_V2_2024",
    "PWD=/home/u5er/pr0jects/a1b2c3",
    "token = tokenizer.encode(text, max_length=512)",
    "password = getpass.getpass('Password: ')",
    "PASSED=12345678, FAILED=0",
    "input_tokens: 1234567890",
    "cache_key: 4f3a2e9c1f0e4c628f0b6d9f2a7c5e11",
    "git push -u origin main:refs/heads/main2",
    "docker run -u 1000:1000 image",
    'curl -u "$USER:$PASS" https://example.com',
    "curl -u user:password https://example.com",
    "https://example.com/?key=value&sig=none",
    "https://my-company-deploy-bot-2024@example.com/a",
    "ssh://git@example.com/a",
    'document.cookie = "session=" + value',
    "Cookie: session=<your session>",
    "commit 615edf3a9c0d1b2e3f4a5b6c7d8e9f0a1b2c3d4e",
    "secret: user.name2@Example.com",
    "SECRET_KEY_BASE=config.SECRET_2024_V1",
    "--token TOKEN --password PASSWORD1",
    "api_key: Optional[str] = None",
]


@pytest.mark.parametrize(("before", "secret", "after"), SECRETS)
def test_it_is_masked(before: str, secret: str, after: str) -> None:
    """The name, the host and what comes after stay; once, wherever the text is cut into blocks."""
    for padding in ("", "a b\n" * 5990):
        counts: dict[str, int] = {}
        masked = Masker({}).text(f"{padding}{before}{secret}{after}\n", counts)
        assert secret not in masked and secret[3:9] not in masked[len(padding) :]
        assert masked.startswith(padding + before[:4]) and sum(counts.values()) == 1


@pytest.mark.parametrize("text", HARMLESS)
def test_it_is_left(text: str) -> None:
    """Words, placeholders, variables, code, numbers, paths and hashes."""
    assert Masker({}).text(text) == text
    assert Masker({}).data({"command": text}) == {"command": text}


def test_the_name_may_be_the_key_of_an_object() -> None:
    """As settings have it."""
    told = {"env": {"DB_PASS": "k3xQ9vL2", "password": "Tr0ub4dor!$x", "MODE": "k3xQ9vL2"}}
    mask = "[masked:assigned-secret]"
    assert Masker({}).data(told) == {"env": {"DB_PASS": mask, "password": mask, "MODE": "k3xQ9vL2"}}
