"""Elements and pages of HTML, in which nothing that somebody else wrote is anything but text."""

from __future__ import annotations

import base64
import hashlib
import html

from loopwright.text.readable import readable

_VOID = frozenset({"meta", "br"})


class Markup(str):
    """HTML that we made; every other text is escaped where it is put into a page."""

    __slots__ = ()


def tag(name: str, /, *children: str, **attributes: object) -> Markup:
    """Make an element; an attribute that Python has a word for is written with `_` at its end, `-` as `_`."""
    words = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{html.escape(readable(_text(value)))}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(child if isinstance(child, Markup) else html.escape(readable(child)) for child in children)
    return Markup(f"<{name}{words}>" if name in _VOID else f"<{name}{words}>{inside}</{name}>")


def joined(*parts: Markup) -> Markup:
    """Put elements one after the other."""
    return Markup("".join(parts))


def document(title: str, style: str, *body: str) -> str:
    """Make a page that stands alone: it loads nothing, runs nothing and sends nothing."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        tag("style", Markup(style)),
    )
    return f"<!doctype html>\n{tag('html', head, tag('body', *body), lang='en')}\n"


def _text(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
