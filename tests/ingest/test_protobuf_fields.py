"""What is in a request is counted as the parser would find it."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue

from loopwright.ingest.protobuf_fields import has_more_fields
from strangers import FUZZ


def request(spans: int, attributes: int, values: int) -> bytes:
    """Write a request with so many spans, attributes of each, and values of each of these."""
    made = ExportTraceServiceRequest()
    scope = made.resource_spans.add().scope_spans.add()
    for _ in range(spans):
        span = scope.spans.add(trace_id=b"a" * 16, span_id=b"b" * 8, start_time_unix_nano=1, name="x" * 300)
        for _ in range(attributes):
            value = AnyValue()
            value.array_value.values.extend([AnyValue(int_value=1)] * values)
            span.attributes.append(KeyValue(key="k", value=value))
    return made.SerializeToString()


def test_a_batch_as_exporters_send_it_has_few() -> None:
    """512 spans with 30 attributes each are far from too many."""
    assert not has_more_fields(request(512, 30, 0), 500_000)


def test_spans_attributes_and_values_count_wherever_they_are() -> None:
    """A thousand of any of them are more than a thousand, and ten are not."""
    for spans, attributes, values in ((1000, 0, 0), (1, 1000, 0), (1, 1, 1000), (10, 10, 10)):
        assert has_more_fields(request(spans, attributes, values), 1000)
    assert not has_more_fields(request(10, 1, 1), 1000)


def test_a_long_text_is_one_field() -> None:
    """Whatever bytes are in it."""
    made = ExportTraceServiceRequest()
    made.resource_spans.add().scope_spans.add().spans.add(name="\x12\x00" * 100_000)
    assert not has_more_fields(made.SerializeToString(), 1000)


@pytest.mark.parametrize("end", [b"\x80", b"\x0a", b"\x0a\x05", b"\x08", b"\x09\x00", b"\x0f"])
def test_what_is_cut_is_refused_before_it_is_parsed(end: bytes) -> None:
    """A parser makes a million spans before it finds that the last byte is wrong."""
    with pytest.raises(ValueError, match="no protobuf"):
        has_more_fields(request(1000, 0, 0) + end, 500_000)


@FUZZ
@given(st.binary(max_size=300) | st.binary(max_size=40).map(lambda more: request(2, 2, 2) + more))
def test_nothing_makes_it_fail(body: bytes) -> None:
    """What is no protobuf is refused; no more is counted than there are bytes for."""
    with contextlib.suppress(ValueError):
        assert not has_more_fields(body, 30 * len(body) + 30)


@FUZZ
@given(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3))
def test_what_the_parser_writes_is_walked_to_its_end(spans: int, attributes: int, values: int) -> None:
    """No request that is whole is refused."""
    assert not has_more_fields(request(spans, attributes, values), 100_000)
