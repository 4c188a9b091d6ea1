"""Answers as OTLP/HTTP wants them: in the form in which was asked, also when something is wrong."""

from __future__ import annotations

from http import HTTPStatus

import orjson
from starlette.background import BackgroundTask
from starlette.responses import Response

JSON = "application/json"
PROTOBUF = "application/x-protobuf"
_CODES = {400: 3, 408: 4, 413: 8, 415: 3, 503: 14}
"""HTTP status -> the code of google.rpc."""
_RETRY_S = "5"


def success(kind: str, rejected: int, after: BackgroundTask | None = None) -> Response:
    """Say that spans were taken, but for so many that were none."""
    words = "spans without a trace id or a span id were left out" if rejected else ""
    if kind == PROTOBUF:
        partial = (_varint(1, rejected) + _text(2, words)) if rejected else b""
        content = _bytes(1, partial) if partial else b""
    else:
        told = {"rejectedSpans": str(rejected), "errorMessage": words}
        content = orjson.dumps({"partialSuccess": told} if rejected else {})
    return Response(content, media_type=kind, background=after)


def failure(kind: str, status: HTTPStatus, why: str) -> Response:
    """Say what is wrong, as a google.rpc.Status; whoever may try again is told so by the status."""
    code = _CODES.get(status.value, 13)
    if kind == PROTOBUF:
        content = _varint(1, code) + _text(2, why)
    else:
        kind, content = JSON, orjson.dumps({"code": code, "message": why})
    headers = {"retry-after": _RETRY_S} if status is HTTPStatus.SERVICE_UNAVAILABLE else None
    return Response(content, status.value, headers, kind)


def _varint(field: int, value: int) -> bytes:
    return bytes([field << 3]) + _number(value)


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode())


def _bytes(field: int, value: bytes) -> bytes:
    return bytes([field << 3 | 2]) + _number(len(value)) + value


def _number(value: int) -> bytes:
    parts = bytearray()
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*parts, value])
