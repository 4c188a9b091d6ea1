"""Traces in OTLP's protobuf -> the same as OTLP's JSON has them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

_DEEPEST = 20


def document_of(body: bytes) -> dict[str, Any]:
    """Read a request to export traces; ValueError where it is none."""
    from google.protobuf.message import DecodeError  # 0.1 s that only who is sent protobuf needs
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    request = ExportTraceServiceRequest()
    try:
        request.ParseFromString(body)
    except (DecodeError, RecursionError) as error:
        raise ValueError(f"no ExportTraceServiceRequest: {error}") from error
    return {"resourceSpans": [_group(group) for group in request.resource_spans]}


def _group(group: Any) -> dict[str, Any]:
    scopes = [{"spans": [_span(span) for span in scope.spans]} for scope in group.scope_spans]
    return {"resource": {"attributes": _pairs(group.resource.attributes, 0)}, "scopeSpans": scopes}


def _span(span: Any) -> dict[str, Any]:
    return {
        "traceId": span.trace_id.hex(),
        "spanId": span.span_id.hex(),
        "parentSpanId": span.parent_span_id.hex(),
        "name": span.name,
        "startTimeUnixNano": span.start_time_unix_nano,
        "endTimeUnixNano": span.end_time_unix_nano,
        "attributes": _pairs(span.attributes, 0),
        "events": [{"name": event.name, "attributes": _pairs(event.attributes, 0)} for event in span.events],
        "status": {"code": span.status.code, "message": span.status.message},
    }


def _pairs(attributes: Iterable[Any], depth: int) -> list[dict[str, Any]]:
    return [{"key": pair.key, "value": _value(pair.value, depth)} for pair in attributes]


def _value(value: Any, depth: int) -> dict[str, Any]:
    kind = value.WhichOneof("value")
    if kind is None or depth > _DEEPEST:
        return {}
    if kind == "array_value":
        return {"arrayValue": {"values": [_value(one, depth + 1) for one in value.array_value.values]}}
    if kind == "kvlist_value":
        return {"kvlistValue": {"values": _pairs(value.kvlist_value.values, depth + 1)}}
    if kind == "bytes_value":
        return {"bytesValue": value.bytes_value.hex()}
    head, _, tail = kind.partition("_")
    return {f"{head}{tail.title()}": getattr(value, kind)}
