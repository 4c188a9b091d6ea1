"""Sessions that share events are taken apart so that their portions add up to what they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from loopwright.ingest.portions import Family
from loopwright.ingest.spending import used
from loopwright.records.event import Event, EventKind
from loopwright.records.summary import Portion

ODD: list[tuple[str, object]] = [
    *(("input", value) for value in (None, "many", -1, float("nan"), 10**30, [1])),
    *((name, None) for name in ("model", "message", "cost_usd")),
]


def portions(told: Mapping[str, Sequence[Event]]) -> Mapping[str, Sequence[Portion]]:
    def events(run_id: str) -> Iterator[Event]:
        return iter(told[run_id])

    return Family(list(told), events).portions()


def spent(output: int, cost: float) -> Event:
    event = used("nobody-knows-it", (1, output, 0, 0), "2026-11-16T10:00:00.000Z", "m1")
    return Event(event.kind, data={**event.data, "cost_usd": cost}, at=event.at)


def called(name: str, at: str = "") -> list[Event]:
    call = Event(EventKind.TOOL_CALL, tool="Bash", call_id=name, at=at)
    return [call, Event(EventKind.TOOL_RESULT, tool="Bash", call_id=name, is_error=True, duration_s=2.0, at=at)]


def test_each_set_of_sessions_has_a_portion() -> None:
    """What all have, what two have and what one has are apart."""
    one, two, three = called("1"), called("2"), called("3")
    found = portions({"a": [*one, *two, *three], "b": [*one, *two], "c": one})
    assert {run: {tuple(each.runs): each.tools[0].calls for each in some} for run, some in found.items()} == {
        "a": {("a", "b", "c"): 1, ("a", "b"): 1, ("a",): 1},
        "b": {("a", "b", "c"): 1, ("a", "b"): 1},
        "c": {("a", "b", "c"): 1},
    }
    use = found["c"][0].tools[0]
    assert (use.tool, use.errors, use.timed, use.seconds) == ("Bash", 1, 1, 2.0)


def test_sessions_that_share_nothing_have_no_portions() -> None:
    """There is nothing to be left out of them."""
    assert portions({"a": called("1"), "b": called("2")}) == {"a": (), "b": ()}


def test_a_result_that_only_one_has_is_its_own() -> None:
    """The other was cut after the call."""
    whole = called("1")
    found = portions({"a": whole[:1], "b": whole})
    assert [(each.runs, each.tools[0].calls, each.tools[0].errors) for each in found["b"]] == [
        (["a", "b"], 1, 0),
        (["b"], 0, 1),
    ]


def test_what_can_not_be_counted_is_left_out() -> None:
    """An import may say anything of tokens."""
    whole = spent(4, 0.25)
    odd = [{}, {"message": "m1"}, *({**whole.data, name: value} for name, value in ODD)]
    found = portions({"a": [whole], "b": [whole, *(Event(EventKind.USAGE, data=data) for data in odd)]})
    assert [(each.runs, each.usage[0].tokens.output) for each in found["b"]] == [(["a", "b"], 4)]


def test_a_message_is_split_where_its_amounts_differ() -> None:
    """What all say is shared, what some say on top is theirs; so the largest of any of them can be had."""
    found = portions({"a": [spent(4, 0.25)], "b": [spent(9, 0.25), spent(1, 0.5)], "c": [spent(4, 0.25)]})
    outputs = {
        run: {tuple(each.runs): each.usage[0].tokens.output for each in some if each.usage[0].tokens.output}
        for run, some in found.items()
    }
    assert outputs == {
        "a": {("a", "b", "c"): 4},
        "b": {("a", "b", "c"): 4, ("b",): 6},
        "c": {("a", "b", "c"): 4},
    }
    assert {tuple(each.runs): each.usage[0].cost_usd for each in found["b"]} == {("a", "b", "c"): 0.25, ("b",): 0.5}
