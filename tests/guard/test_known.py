"""Which variables hold secrets, and in which forms these are found."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest

from loopwright.guard.redact import Masker

MASK = "[masked:environment-secret]"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SOME_API_KEY", "b9Kq27Lm"),
        ("APIKEY", "b9Kq27LmzP"),
        ("PGPASSWORD", "hunterhunter"),
        ("MYSQL_PWD", "b9Kq27Lmz"),
        ("github_token", "some words 4 a token"),
        ("CLIENT_SECRET", "gAAA+/b9Kq27"),
        ("API_TOKEN", "correct-horse-battery-staple"),
        ("API_TOKEN", "onlysmallletters"),
        ("FILE_ENCRYPTION_KEY", "b9Kq27Lmz"),
        ("GPG_PASSPHRASE", "b9Kq27Lmz"),
        ("NPM_CONFIG__AUTH", "dXNlcjpwYXNz"),
        ("GITHUB_TOKEN2", "b9Kq27Lmz"),
        ("API_KEY2", "b9Kq27Lmz"),
        ("DB_PASSWORD1", "hunterhunter"),
        ("PROXY_AUTH2", "b9Kq27Lmz"),
        ("SSHPASS", "hunterhunter"),
        ("ADMINPASS", "b9Kq27Lmz"),
        ("AWS_SECRET_ACCESS_KEY", "/JalrXUtnFEMI/K7MDENG"),
    ],
)
def test_a_variable_that_says_so_is_a_secret(name: str, value: str) -> None:
    """The value of a variable whose name speaks of a key, a token or a password is masked."""
    assert Masker({name: value}).text(f"<{value}>") == f"<{MASK}>"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HOME", "b9Kq27Lmz"),
        ("SSH_AUTH_SOCK", "agent.b9Kq27Lmz"),
        ("XAUTHORITY", "b9Kq27Lmz"),
        ("DBUS_SESSION_BUS_ADDRESS", "unix:abstract=b9Kq27"),
        ("GPG_TTY", "b9Kq27Lmz"),
        ("GPG_KEY", "E3FF2839C048B25C"),
        ("PWD", "b9Kq27Lmz"),
        ("GIT_ASKPASS", "b9Kq27Lmz"),
        ("BYPASS_CACHE", "b9Kq27Lmz"),
        ("KEY_FILE2", "b9Kq27Lmz"),
        ("AUTH0_DOMAIN", "b9Kq27Lmz"),
        ("KEYBOARD_LAYOUT", "b9Kq27Lmz"),
        ("GIT_AUTHOR_NAME", "Ada4 Lovelace"),
        ("KEY_FILE", "b9Kq27Lmz"),
        ("SSL_KEY_PATH", "b9Kq27Lmz"),
        ("SECRETS_DIR", "b9Kq27Lmz"),
        ("PUBLIC_KEY", "b9Kq27Lmz"),
        ("API_KEY", "short1"),
        ("MAX_TOKENS", "100000000"),
        ("AUTH_REQUIRED", "required"),
        ("USE_TOKEN", "true"),
        ("PRIVATE_KEY", "/home/ada/.ssh/id_rsa"),
        ("TOKEN_URL", "https://example.com/token"),
        ("AUTH_MODE", "workload-identity"),
        ("PRIVATE_REGISTRY", "registry.my-company.com:5000"),
        ("AUTH_USER", "ada@example.com"),
        ("DB_PASSWORD", "password"),
        ("DB_PASSWORD", "xxxxxxxxxx"),
    ],
)
def test_a_harmless_variable_is_none(name: str, value: str) -> None:
    """What is short, a number, a word, a path or an address is no secret, nor what a harmless name holds."""
    assert Masker({name: value}).text(f"<{value}>") == f"<{value}>"


def test_the_password_of_an_address_is_a_secret() -> None:
    """Of a URL or a connection string with a password only this is masked, as it is and decoded."""
    masker = Masker(
        {"DATABASE_URL": "postgres://app:tR4mp%40line@db/app", "MY_DSN": "host=db password=b9Kq27Lmz user=app"}
    )
    assert masker.text("tR4mp%40line tR4mp@line b9Kq27Lmz host=db app") == f"{MASK} {MASK} {MASK} host=db app"


@pytest.mark.parametrize(
    ("text", "password"),
    [
        ("postgres://app:tR4mp@line9@db/app?mail=a@b", "tR4mp@line9"),
        ("postgres://app:tR4mp/line9@db/app", "tR4mp/line9"),
        ("postgres://app:tR4mpline9@db?mail=a@b", "tR4mpline9"),
        ("host=db password='Sup3r Secret99xyz' user=app", "Sup3r Secret99xyz"),
        ("host=db password = 'it\\'s S3cret' user=app", "it\\'s S3cret"),
        ("host=db password = 'it\\'s S3cret' user=app", "it's S3cret"),
        ('Server=db;Password="Sup3r Secret99xyz";', "Sup3r Secret99xyz"),
        ("Driver=x;PWD={Sup3r Secret99xyz};", "Sup3r Secret99xyz"),
    ],
)
def test_where_a_password_ends(text: str, password: str) -> None:
    """The last `@` before the path ends the password of a URL, and a quote that of a connection string."""
    assert Masker({"MY_DSN": text}).text(f"<{password}> db app mail=a@b") == f"<{MASK}> db app mail=a@b"


def test_a_port_is_no_password() -> None:
    """An address with a port and an `@` in its path has no password."""
    address = "http://localhost:8080/users/ada@example.com"
    assert Masker({"HOME_URL": address}).text("8080/users/ada") == "8080/users/ada"


def test_a_secret_is_found_in_every_form() -> None:
    """JSON, URLs and base64 hide no secret."""
    secret = 'pä"ss\\w/ord+9'
    masker = Masker({"SECRET": secret})
    raw = secret.encode()
    forms = [
        secret,
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        quote(secret),
        quote(secret, safe=""),
        quote(secret, safe="").lower(),
        base64.b64encode(raw).decode(),
        base64.urlsafe_b64encode(raw).decode(),
    ]
    assert [masker.text(f"<{form}>") for form in forms] == [f"<{MASK}>"] * len(forms)
    assert masker.text(base64.b64encode(raw + b" and more").decode()).startswith(MASK)


def test_a_secret_of_several_lines_is_masked_line_by_line() -> None:
    """A search stays on its line, so a longer value is known by its lines."""
    lines = ["b9Kq27LmzP4xWd81TnVcRy3HsJf6", "GtA5uEoQ0iXgZw7NkBvMDaC2pLhS"]
    assert Masker({"KEYS": "\n".join(lines)}).text("\n".join(lines)) == f"{MASK}\n{MASK}"


def test_a_secret_that_is_no_text() -> None:
    """A value with bytes that are no UTF-8 is found as it is, with any other escaped beside it."""
    masker = Masker({"SECRET": "b9Kq27\udcff\udcfe", "OTHER_SECRET": "x&yz<9Kq27"})
    stream = masker.stream()
    assert stream.close(b"<b9Kq27\xff\xfe> x\\u0026yz\\u003c9Kq27") == f"<{MASK}> {MASK}".encode()


def test_json_stays_json() -> None:
    """A secret that ends with a backslash takes its escape along."""
    line = json.dumps({"a": "b9Kq27Lm\\", "b": 1})
    assert json.loads(Masker({"SECRET": "b9Kq27Lm\\"}).text(line)) == {"a": MASK, "b": 1}


def test_a_very_long_secret_is_masked_whole() -> None:
    """What is longer than a search looks ahead is masked in parts."""
    secret = "".join(f"{number:x}-" for number in range(2000))
    assert Masker({"SECRET": secret}).text(f"<{secret}>").replace(MASK, "") == "<>"


@pytest.mark.parametrize("secret", ["aB3/x+Q&9z<Lm>7Kp/Rt+W2==", "p\u00e4&ss<9/+\u20ac", "b9&<\U0001f511/Kq+27"])
def test_json_escapes_in_any_way(secret: str) -> None:
    """PHP writes `\\/`, Go `\\u0026`, .NET `\\u002B`, others every sign by its number: all of it is the secret."""
    masker = Masker({"SVC_SECRET_KEY": secret})
    numbers = "".join(f"\\u{unit}" for unit in secret.encode("utf-16-be").hex(" ", 2).split())
    some = json.dumps(secret)[1:-1].replace("&", "\\u0026").replace("<", "\\u003C").replace("/", "\\/")
    for form in (numbers, numbers.upper().replace("\\U", "\\u"), some, secret.replace("+", "\\u002B")):
        assert json.loads(f'"{form}"') == secret
        assert masker.text(f'{{"text": "a {form} b"}}') == f'{{"text": "a {MASK} b"}}'
