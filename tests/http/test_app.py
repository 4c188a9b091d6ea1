"""The routes, asked over HTTP."""

from __future__ import annotations

import gzip
import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from google.rpc.status_pb2 import Status
from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from served import Served, serving

from loopwright.records.event import EventKind
from otlp_spans import agent_at_work, request

KEY = "a-key-of-this-test-0123456789"
JSON = {"Content-Type": "application/json"}
PROTOBUF = {"Content-Type": "application/x-protobuf"}


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path) as found:
        yield found


@pytest.mark.parametrize("compression", [Compression.NoCompression, Compression.Gzip])
def test_the_real_sdk_sends_its_spans(tmp_path: Path, compression: Compression) -> None:
    """OpenTelemetry's own SDK and exporter, with a key, and spans of the GenAI conventions: a session comes of it."""
    with serving(tmp_path, KEY) as served:
        exporter = OTLPSpanExporter(
            f"{served.url}/v1/traces", headers={"Authorization": f"Bearer {KEY}"}, compression=compression
        )
        provider = TracerProvider(resource=Resource.create({"service.name": "shop", "prompt_version": "v9"}))
        provider.add_span_processor(SimpleSpanProcessor(exporter))  # a post for each span, the inner ones first
        _work(provider.get_tracer("test"))
        provider.shutdown()
        served.settled()
        (run,) = served.store.runs()
        assert (run.profile.agent, run.profile.model, run.prompt_version) == ("fixer", "gpt-5", "v9")
        assert (run.spent.tokens.input, run.spent.tokens.output, run.spent.tokens.cache_read) == (60, 12, 40)
        events = served.store.events(run.id)
        (call,) = [event for event in events if event.kind is EventKind.TOOL_CALL]
        (result,) = [event for event in events if event.kind is EventKind.TOOL_RESULT]
        assert (call.command, result.text, result.is_error) == ("pytest -q", "1 failed", True)
        assert [event.text for event in events if event.kind is EventKind.PROMPT] == ["Fix the login"]
        assert list(served.store.observed.session_runs()) == [("otlp", "conversation-5")]


def _work(tracer: trace.Tracer) -> None:
    with tracer.start_as_current_span("invoke_agent fixer") as agent:
        agent.set_attributes({"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "fixer"})
        agent.set_attribute("gen_ai.conversation.id", "conversation-5")
        with tracer.start_as_current_span("chat gpt-5") as chat:
            parts = [{"type": "tool_call", "id": "c1", "name": "bash", "arguments": {"command": "pytest -q"}}]
            chat.set_attributes(
                {
                    "gen_ai.operation.name": "chat",
                    "gen_ai.request.model": "gpt-5",
                    "gen_ai.usage.input_tokens": 100,
                    "gen_ai.usage.output_tokens": 12,
                    "gen_ai.usage.cache_read.input_tokens": 40,
                    "gen_ai.input.messages": json.dumps([{"role": "user", "content": "Fix the login"}]),
                    "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": parts}]),
                }
            )
        with tracer.start_as_current_span("execute_tool bash") as tool:
            tool.set_attributes({"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "bash"})
            tool.set_attributes({"gen_ai.tool.call.id": "c1", "gen_ai.tool.call.result": "1 failed"})
            tool.set_status(trace.StatusCode.ERROR, "exit 1")


def test_json_is_taken_and_answered_in_json(served: Served) -> None:
    """A request in JSON has an empty object for an answer; sent twice, it counts once."""
    body = json.dumps(request(*agent_at_work())).encode()
    for _ in range(2):
        status, answer, headers = served.ask("/v1/traces", body, JSON)
        assert (status, answer, headers["content-type"]) == (200, b"{}", "application/json")
    served.settled()
    (run,) = served.store.runs()
    assert run.spent.tokens.input == 240


def test_what_is_no_span_is_told_to_the_sender(served: Served) -> None:
    """Partial success names how many spans were left out, in the form in which was asked."""
    wrong = {**agent_at_work()[0], "traceId": ""}
    status, answer, _ = served.ask("/v1/traces", json.dumps(request(wrong, *agent_at_work())).encode(), JSON)
    assert status == 200
    assert json.loads(answer)["partialSuccess"]["rejectedSpans"] == "1"
    sent = ExportTraceServiceRequest()
    sent.resource_spans.add().scope_spans.add().spans.add(name="x")
    status, answer, headers = served.ask("/v1/traces", sent.SerializeToString(), PROTOBUF)
    response = ExportTraceServiceResponse.FromString(answer)
    assert (status, headers["content-type"]) == (200, "application/x-protobuf")
    assert response.partial_success.rejected_spans == 1
    assert "left out" in response.partial_success.error_message


def test_nothing_to_take_is_a_success(served: Served) -> None:
    """An empty request is taken: exporters send one to see whether somebody is there."""
    assert served.ask("/v1/traces", b"", PROTOBUF)[:2] == (200, b"")
    assert served.ask("/v1/traces", b"{}", JSON)[:2] == (200, b"{}")


@pytest.mark.parametrize("body", [b"{", b"[]", b"7", b'{"resourceSpans": 7}', b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_request_is_refused_for_good(served: Served, body: bytes) -> None:
    """A request that nobody can read is answered with 400 and a google.rpc.Status."""
    status, answer, _ = served.ask("/v1/traces", body, JSON)
    assert status == 400
    assert json.loads(answer)["code"] == 3
    status, answer, headers = served.ask("/v1/traces", b"\xff" + body, PROTOBUF)
    assert (status, headers["content-type"]) == (400, "application/x-protobuf")
    assert "protobuf" in Status.FromString(answer).message


def test_a_run_is_taken(served: Served) -> None:
    """POST /api/agent-runs writes a run down and names it."""
    told = {
        "task_type": "bug_fix",
        "prompt_hash": "h1",
        "passed": False,
        "score": 0.25,
        "reason": "no",
        "raw_output": "x",
    }
    status, answer, _ = served.ask("/api/agent-runs", json.dumps(told).encode(), JSON)
    assert status == 201
    (row,) = served.store.view("agent_runs")
    assert (row["id"], row["prompt_hash"], row["score"]) == (json.loads(answer)["run_id"], "h1", 0.25)


@pytest.mark.parametrize(("name", "value"), [("started_at", "2999-01-01T00:00:00Z"), ("cost_usd", 1.7e308)])
def test_a_run_that_cannot_have_been_is_refused(served: Served, name: str, value: object) -> None:
    """A run of the future, or one that cost more than there is, is refused with 422 and not written down."""
    told = {"task_type": "x", "passed": True, name: value}
    status, answer, _ = served.ask("/api/agent-runs", json.dumps(told).encode(), JSON)
    assert (status, f"is not possible here in `{name}`" in json.loads(answer)["error"]) == (422, True)
    assert served.store.view("agent_runs") == []


def test_a_run_that_is_wrong_is_refused_with_what_would_be_right(served: Served) -> None:
    """The answer names the field, the value and what is possible there."""
    status, answer, _ = served.ask("/api/agent-runs", b'{"task_type": "x", "score": 17}', JSON)
    assert status == 422
    assert json.loads(answer) == {"error": "`17.0` is not possible here in `score`", "hint": "a number from 0 to 10"}
    assert served.ask("/api/agent-runs", b"{", JSON)[0] == 400


def test_it_says_that_it_is_well(served: Served) -> None:
    """/healthz answers, and what there is not is not there."""
    status, answer, headers = served.ask("/healthz")
    assert (status, json.loads(answer)) == (200, {"status": "ok"})
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers
    assert [served.ask(path)[0] for path in ("/", "/docs", "/openapi.json", "/v1/traces/")] == [404] * 4
    assert served.ask("/v1/traces")[0] == 405


def test_metrics_are_told(served: Served) -> None:
    """/metrics has what was sent, as text that Prometheus reads."""
    sent = {"task_type": "bug_fix", "passed": True, "agent": "codex", "cost_usd": 0.5}
    assert served.ask("/api/agent-runs", json.dumps(sent).encode(), JSON)[0] == 201
    status, answer, headers = served.ask("/metrics")
    assert (status, headers["content-type"]) == (200, "text/plain; version=0.0.4; charset=utf-8")
    assert b'loopwright_passed{by="agent",name="codex"} 1\n' in answer
    assert served.ask("/metrics", b"", JSON)[0] == 405
    for path in ("/metrics", "/healthz"):
        whole, head = served.ask(path), served.ask(path, method="HEAD")
        assert (head[0], head[1]) == (200, b"")
        assert head[2]["content-length"] == str(len(whole[1]))


def test_gzip_is_unpacked(served: Served) -> None:
    """A packed body is taken like any other."""
    body = gzip.compress(json.dumps(request(*agent_at_work())).encode())
    assert served.ask("/v1/traces", body, {**JSON, "Content-Encoding": "gzip"})[0] == 200
    served.settled()
    assert len(served.store.runs()) == 1


def test_many_posts_at_once(served: Served) -> None:
    """Posts that come at the same moment, some of them twice, make one session in which all counts once."""
    bodies = [json.dumps(request(found)).encode() for found in agent_at_work()] * 3
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda body: served.ask("/v1/traces", body, JSON)[0], bodies))
    served.settled()
    assert answers == [200] * 12
    (run,) = served.store.runs()
    assert (run.spent.tokens.input, served.store.last_seq(run.id)) == (240, 9)
    assert served.store.view("tool_usage", run.id)[0]["calls"] == 1


def test_a_batch_as_exporters_send_it_is_taken(served: Served) -> None:
    """512 spans with long conversations in them, some megabytes in all."""
    said = [{"key": "gen_ai.input.messages", "value": {"stringValue": "word " * 3000}}]
    spans = [{"traceId": "a1", "spanId": f"{number + 1:x}", "attributes": said} for number in range(512)]
    body = json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}).encode()
    assert len(body) > 7_000_000
    assert served.ask("/v1/traces", body, JSON)[0] == 200


@pytest.mark.parametrize("flood", ["values", "spans"])
def test_json_of_very_many_values_is_refused(served: Served, flood: str) -> None:
    """Before anything is made of it, or written."""
    spans = b"{}," * 600_000 if flood == "values" else b'{"traceId":"1","spanId":"1"},' * 20_000
    body = b'{"resourceSpans":[{"scopeSpans":[{"spans":[' + spans + b"{}]}]}]}"
    status, answer, _ = served.ask("/v1/traces", gzip.compress(body), JSON | {"Content-Encoding": "gzip"})
    assert (status, b"20,000 spans" in answer) == (413, True)
    assert served.store.sent.unsettled_traces(1) == []


def test_hostile_bodies_take_little_memory(tmp_path: Path) -> None:
    """A few kilobytes that unpack to millions of spans, in JSON and in protobuf, or to more than is taken."""
    empty = b"\x12\x00" * 4_000_000
    assert ExportTraceServiceRequest.FromString(_field(1, _field(2, empty[:2000]))).resource_spans
    bodies = [
        (413, JSON, b'{"resourceSpans":[{"scopeSpans":[{"spans":[' + b"{}," * 6_000_000 + b"{}]}]}]}"),
        (413, JSON, b"[" + b"{}," * 20_000_000 + b"{}]"),
        (413, PROTOBUF, _field(1, _field(2, empty))),
        (400, PROTOBUF, _field(1, _field(2, empty)) + b"\x80"),
    ]
    words = ["serve", "--port", "0", "--home", str(tmp_path / "state"), "--repo", str(tmp_path)]
    server = subprocess.Popen([Path(sys.executable).with_name("loopwright"), *words], stderr=subprocess.PIPE)
    try:
        assert server.stderr is not None
        port = int(server.stderr.readline().split(b",")[0].rpartition(b":")[2])
        for wanted, headers, body in bodies:
            asking = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
            asking.request("POST", "/v1/traces", gzip.compress(body), headers | {"Content-Encoding": "gzip"})
            assert asking.getresponse().status == wanted
            asking.close()
        status = Path(f"/proc/{server.pid}/status").read_text()
        assert int(status.split("VmHWM:")[1].split()[0]) < 300_000
    finally:
        server.terminate()
        server.communicate()


def _field(number: int, held: bytes) -> bytes:
    """Write a field of protobuf that holds bytes or a message."""
    size, length = len(held), bytearray()
    while size > 127:
        length.append(size & 127 | 128)
        size >>= 7
    return bytes([number << 3 | 2, *length, size]) + held
