"""The routes: requests in, answers out. What is done with them is handed in."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Any, Protocol

import anyio
import orjson
from anyio import CapacityLimiter
from fastapi import FastAPI, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from starlette.background import BackgroundTask
from starlette.types import ASGIApp

from loopwright.errors import LoopwrightError, StoreError, UsageError
from loopwright.http import otlp
from loopwright.http.auth import Access
from loopwright.http.body import BadBody, Room, kind_of, unpacked
from loopwright.http.gate import Gate, Log, escaped
from loopwright.http.prometheus import CONTENT_TYPE
from loopwright.ingest import otlp_protobuf
from loopwright.ingest.lines import is_dense
from loopwright.ingest.otlp_json import Sent, spans_in
from loopwright.ingest.protobuf_fields import has_more_fields

_READING = ["GET", "HEAD"]
_AT_ONCE = 2
"""So many bodies are unpacked and written at the same time: each may take 200 MB of memory."""
_MOST_SPANS = 20_000
_MOST_FIELDS = 500_000
_FEW_BYTES = 100_000
"""So few can't hold many fields."""
_MOST_OF_A_RUN = 2_000_000


class Taking(Protocol):
    """Takes spans, and makes sessions of them."""

    def take(self, sent: Any) -> tuple[int, int]:
        """Write spans down; give how many were, and how many could not be."""
        ...

    def settle(self) -> None:
        """Make the sessions of all spans that have come."""
        ...


Recording = Callable[[object], str]
"""What a program says of a finished run -> the run that it became."""


Telling = Callable[[], str]
"""Gives the metrics as text."""


def make_app(access: Access, traces: Taking, record: Recording, log: Log, metrics: Telling = str) -> ASGIApp:
    """Put the application together."""
    return Gate(_Routes(traces, record, log, metrics).app(), access, log)


class _Routes:
    def __init__(self, traces: Taking, record: Recording, log: Log, metrics: Telling) -> None:
        self._traces, self._record, self._log, self._metrics = traces, record, log, metrics
        self._limiter, self._room = CapacityLimiter(_AT_ONCE), Room()

    def app(self) -> FastAPI:
        app = FastAPI(openapi_url=None, redirect_slashes=False, lifespan=self._lifespan)
        app.api_route("/healthz", methods=_READING)(self.health)
        app.api_route("/metrics", methods=_READING, response_model=None)(self.metrics)
        app.post("/v1/traces", response_model=None)(self.take_traces)
        app.post("/api/agent-runs", response_model=None)(self.take_run)
        return app

    @asynccontextmanager
    async def _lifespan(self, app: FastAPI) -> AsyncIterator[None]:
        await anyio.to_thread.run_sync(self._settle)  # what came before somebody ended us
        yield

    async def health(self) -> dict[str, str]:
        return {"status": "ok"}

    async def metrics(self) -> Response:
        try:
            text = await anyio.to_thread.run_sync(self._metrics, limiter=self._limiter)
        except StoreError as error:
            self._log(f"metrics could not be read: {escaped(error.message)}")
            return _wrong(HTTPStatus.SERVICE_UNAVAILABLE, "the store can't be read", "try again later")
        return PlainTextResponse(text, headers={"content-type": CONTENT_TYPE})

    async def take_traces(self, request: Request) -> Response:
        kind = otlp.JSON
        try:
            kind = kind_of(request, otlp.PROTOBUF, otlp.JSON)
            encoding = request.headers.get("content-encoding", "")
            async with self._room.body_of(request) as body:
                lost = await anyio.to_thread.run_sync(self._take, body, encoding, kind, limiter=self._limiter)
        except BadBody as error:
            return otlp.failure(kind, error.status, error.why)
        except StoreError as error:
            self._log(f"spans could not be written: {escaped(error.message)}")
            return otlp.failure(kind, HTTPStatus.SERVICE_UNAVAILABLE, "the store can't be written to; try again later")
        return otlp.success(kind, lost, BackgroundTask(self._settle))

    def _take(self, body: bytes, encoding: str, kind: str) -> int:
        return self._traces.take(_spans(unpacked(body, encoding), kind))[1]

    def _settle(self) -> None:
        try:
            self._traces.settle()
        except LoopwrightError as error:
            self._log(f"sessions could not be made, and will be with the next spans: {escaped(error.message)}")

    async def take_run(self, request: Request) -> Response:
        try:
            kind_of(request, otlp.JSON)
            encoding = request.headers.get("content-encoding", "")
            async with self._room.body_of(request, _MOST_OF_A_RUN) as body:
                told = _parsed(unpacked(body, encoding, _MOST_OF_A_RUN))
                run_id = await anyio.to_thread.run_sync(self._record, told, limiter=self._limiter)
        except BadBody as error:
            return _wrong(error.status, error.why)
        except UsageError as error:
            return _wrong(HTTPStatus.UNPROCESSABLE_ENTITY, error.message, error.hint)
        except StoreError as error:
            self._log(f"a run could not be written: {escaped(error.message)}")
            return _wrong(HTTPStatus.SERVICE_UNAVAILABLE, "the store can't be written to", "try again later")
        return JSONResponse({"run_id": run_id}, HTTPStatus.CREATED)


def _spans(body: bytes, kind: str) -> list[Sent | None]:
    spans = list(spans_in(_from_protobuf(body) if kind == otlp.PROTOBUF else _from_json(body)))
    if len(spans) > _MOST_SPANS:
        raise _too_many()
    return spans


def _from_protobuf(body: bytes) -> Any:
    try:
        if len(body) > _FEW_BYTES and has_more_fields(body, _MOST_FIELDS):
            raise _too_many()
        return otlp_protobuf.document_of(body)
    except ValueError:
        raise BadBody(HTTPStatus.BAD_REQUEST, "the body is no ExportTraceServiceRequest in protobuf") from None


def _from_json(body: bytes) -> Any:
    if is_dense(body):
        raise _too_many()
    document = _parsed(body)
    if not isinstance(document, dict) or not isinstance(document.get("resourceSpans", []), list):
        raise BadBody(HTTPStatus.BAD_REQUEST, "the body is no ExportTraceServiceRequest: `resourceSpans` is a list")
    return document


def _too_many() -> BadBody:
    why = f"the body has too many values: send up to {_MOST_SPANS:,} spans at once, with fewer attributes"
    return BadBody(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, why)


def _parsed(body: bytes) -> Any:
    try:
        return orjson.loads(body)
    except ValueError:
        raise BadBody(HTTPStatus.BAD_REQUEST, "the body is no JSON") from None


def _wrong(status: HTTPStatus, why: str, hint: str = "") -> Response:
    return JSONResponse({"error": why} | ({"hint": hint} if hint else {}), status)
