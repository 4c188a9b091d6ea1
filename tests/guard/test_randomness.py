"""Keys and passwords are told from names by what they are made of."""

from __future__ import annotations

from loopwright.guard.randomness import is_placeholder, is_strange, looks_random, mixes


def test_keys_look_random_and_names_do_not() -> None:
    """Mixed, of small letters and digits, or hexadecimal."""
    assert all(map(looks_random, [b"q7Zr2Lm9Xc4Vb8Nd1Ks6Wt3Y", b"a8s7d6f5g4h3j2k1l0q9w8e7", b"0123456789abcdef" * 2]))
    assert not any(map(looks_random, [b"claude-sonnet-4-5-20250929", b"getUserAccessTokenFromRequest2", b"short1A"]))


def test_passwords_are_strange() -> None:
    """Signs among letters and digits; an address is none."""
    assert is_strange(b"Tr0ub4dor!$", 8) and not is_strange(b"Tr0ub4dor", 8)
    assert not is_strange(b"Some.One1@example.com", 8) and not is_strange(b"a!1B", 8)


def test_letters_and_digits_take_turns() -> None:
    """As in no word with a number behind it."""
    assert mixes(b"k3xQ9vL2", 8) and mixes(b"q7Zr2Lm9Xc4Vb8Nd", 16)
    assert not mixes(b"postgres16", 8) and not mixes(b"version-2024-11", 8)


def test_placeholders_are_known() -> None:
    """Whoever writes docs writes these."""
    told = [b"$TOKEN", b"xxxxxxxx", b"changeme1!", b"your-key-1234", b"process.env.KEY", b"/home/a1", b"aaaaaaaa1"]
    assert all(map(is_placeholder, told)) and not is_placeholder(b"k3xQ9vL2")
