"""The spans of a run are what OpenTelemetry's own package reads, named by its conventions."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from loopwright.export.otlp import traces
from loopwright.export.span_values import nanoseconds
from loopwright.records.bundle import Bundle
from loopwright.records.event import EventKind

from .samples import called, evaluated, event, hostile, observed, ours, returned, used


def read_back(bundle: Bundle) -> list[Any]:
    """Give the spans as the package has them; OTLP/JSON writes ids in hexadecimal, and protobuf's own JSON does not."""
    data = json.loads(json.dumps(traces(bundle), default=str))
    for span in data["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        for name in ("traceId", "spanId", "parentSpanId"):
            if name in span:
                span[name] = base64.b64encode(bytes.fromhex(span[name])).decode()
    request = json_format.ParseDict(data, ExportTraceServiceRequest())
    again = ExportTraceServiceRequest.FromString(request.SerializeToString())
    return list(again.resource_spans[0].scope_spans[0].spans)


def told(span: Any) -> dict[str, Any]:
    return {item.key: getattr(item.value, item.value.WhichOneof("value")) for item in span.attributes}


@pytest.mark.parametrize("bundle", [observed(), ours(), hostile(), observed([])], ids=["seen", "ours", "bad", "empty"])
def test_the_package_reads_it(bundle: Bundle) -> None:
    """Every run is a valid request: ids of the right length and unique, one root, no parent missing, no time back."""
    spans = read_back(bundle)
    assert {len(span.trace_id) for span in spans} == {16}
    assert {len(span.span_id) for span in spans} == {8}
    ids = [span.span_id for span in spans]
    assert len(ids) == len(set(ids))
    assert [span.parent_span_id for span in spans].count(b"") == 1
    assert {span.parent_span_id for span in spans} - {b""} <= set(ids)
    assert all(span.start_time_unix_nano <= span.end_time_unix_nano for span in spans)


def test_the_trace_is_the_run() -> None:
    """The trace's id is the run's, and its times are the run's."""
    bundle = observed()
    root = read_back(bundle)[0]
    assert root.trace_id.hex() == bundle.run.id.replace("-", "")
    assert root.start_time_unix_nano == nanoseconds(bundle.run.started_at) == 1_760_000_000_000_000_000
    assert told(root)["loopwright.goal"] == "Fix the login"


def test_calls_requests_and_attempts_are_spans() -> None:
    """Each has the name and the attributes of the conventions, and tokens are told once."""
    spans = read_back(observed())
    names = [span.name for span in spans]
    assert names[1] == "invoke_agent claude_code"
    assert names.count("chat claude-opus-4-6") == 3
    assert [name for name in names if name.startswith("execute_tool")] == [
        *("execute_tool Read", "execute_tool Task", "execute_tool Grep", "execute_tool Edit"),
        *("execute_tool Bash", "execute_tool Bash", "execute_tool Odd"),
    ]
    assert sum(told(span).get("gen_ai.usage.output_tokens", 0) for span in spans) == 28
    chat = told(next(span for span in spans if span.name.startswith("chat")))
    assert (chat["gen_ai.operation.name"], chat["gen_ai.provider.name"]) == ("chat", "anthropic")
    assert "I look." in chat["gen_ai.output.messages"]
    read = told(next(span for span in spans if span.name == "execute_tool Read"))
    assert read["gen_ai.tool.call.arguments"] == '{"path": "/p/login.py"}'
    assert read["gen_ai.tool.call.result"] == "def login(): ..."


def test_what_failed_is_an_error_and_what_a_subagent_did_is_below_its_call() -> None:
    """A failing call has the status of one, and a subagent's spans have the span of its call above them."""
    spans = read_back(observed())
    by_name = {span.name: span for span in spans}
    assert by_name["execute_tool Bash"].status.code == 2
    assert told(by_name["execute_tool Bash"])["error.type"] == "EXIT_ERROR"
    assert by_name["execute_tool Grep"].parent_span_id == by_name["execute_tool Task"].span_id
    taken = by_name["execute_tool Task"]
    assert taken.end_time_unix_nano - taken.start_time_unix_nano == 9_000_000_000


def test_the_rest_is_events() -> None:
    """Prompts, raw lines and a human's no are events of the attempt."""
    attempt = read_back(observed())[1]
    assert {"loopwright.prompt", "loopwright.raw", "loopwright.rejection", "loopwright.retry"} <= {
        item.name for item in attempt.events
    }


def test_odd_numbers_and_times() -> None:
    """What is no time or too large a number is written all the same."""
    odd = [called("X", "c"), returned("X", "c", duration_s=float("inf")), event(EventKind.NOTE, data={"n": 10**40})]
    assert read_back(observed(odd))


def test_what_was_thought_of_it_is_an_event_of_the_conventions() -> None:
    """Another program's verdict is a `gen_ai.evaluation.result` of the run's span."""
    found = [item for item in read_back(evaluated())[0].events if item.name == "gen_ai.evaluation.result"]
    assert told(found[0]) == {
        "gen_ai.evaluation.name": "nightly",
        "gen_ai.evaluation.score.value": 0.25,
        "gen_ai.evaluation.score.label": "failed",
        "gen_ai.evaluation.explanation": "two tests fail",
    }


def test_a_request_is_one_span_whose_input_has_the_cache_in_it() -> None:
    """Tokens that are told in parts are added up, and those of the cache are among the input, as conventions say."""
    parts = [event(EventKind.PROMPT, "Hello"), used("m", 10, 20, 300, 4), used("m", 0, 5, 0, 0)]
    (chat,) = [told(span) for span in read_back(observed(parts)) if span.name.startswith("chat")]
    assert (chat["gen_ai.usage.input_tokens"], chat["gen_ai.usage.output_tokens"]) == (314, 25)
    assert "Hello" in chat["gen_ai.input.messages"]
