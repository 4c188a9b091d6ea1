"""`loopwright graph`: from a failure to its causes, what prevents them, and what that is applied to."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import click

from loopwright.cli.figures import one_line, wrapped
from loopwright.cli.opened import opened_record
from loopwright.cli.options import as_json, where
from loopwright.cli.output import console, print_json
from loopwright.cli.writing import write
from loopwright.errors import UnknownName, UsageError
from loopwright.export.graph_formats import ENDINGS, WRITERS
from loopwright.records.graph import Edge, Graph, Node, node
from loopwright.records.identity import short
from loopwright.records.postmortem import HORIZONS
from loopwright.store.finding import MIN_PART
from loopwright.store.graph import DEEPEST, DEPTH
from loopwright.thinking import make_failing
from loopwright.wire import Record


@click.command()
@click.argument("failure", metavar="FAILURE", default="last")
@where
@click.option(
    "--format",
    "kind",
    type=click.Choice(["text", *WRITERS]),
    default="text",
    show_default=True,
    help="text is for people; the others are for Mermaid, for tools that read GraphML, and for Neo4j.",
)
@click.option("--depth", type=click.IntRange(1, DEEPEST), default=DEPTH, show_default=True, metavar="N", help="Steps.")
@click.option("--back", is_flag=True, help="Against the edges: from a cause to its failures.")
@click.option(
    "--output", type=click.Path(path_type=Path), metavar="FILE", help="A file or a folder.  [default: stdout]"
)
@as_json
def graph(
    failure: str, repo: Path, home: str | None, kind: str, depth: int, back: bool, output: Path | None, as_json: bool
) -> None:
    """Show what FAILURE is linked to: the id of a failure or a run, or a name such as "cause code_bug/regression …"."""
    record = opened_record(repo, home)
    starts = _starts(record, failure)
    found = record.store.graph.walk(starts, depth, back=back)
    if not found.nodes:
        click.echo(f"nothing has failed in `{one_line(failure)}`, as far as anybody looked", err=True)
        return
    if found.is_cut:
        click.echo(f"only the nearest {len(found.nodes):,} nodes are given; --depth N gives less", err=True)
    if as_json:
        print_json({"schema": 1, **dataclasses.asdict(found)})
        return
    text = WRITERS[kind](found) if kind in WRITERS else _tree(found, back, console().width)
    written = write(text, output, f"graph-{failure[-8:]}.{ENDINGS[kind]}")
    if written:
        click.echo(f"the graph is in {written}", err=True)


def _starts(record: Record, name: str) -> list[str]:
    """Find what a person means: a node by its id, a failure by its id, or a run with all that failed in it."""
    exact = [one.id for one in record.store.graph.named(name) if one.id == name]
    if exact:
        return exact
    failures = record.store.failures.named(name.strip().lower()) if len(name.strip()) >= MIN_PART else ()
    if len(failures) > 1:
        listed = "\n".join(f"  {one.id}  {one_line(one.criterion)}" for one in failures[:10])
        raise UsageError(f"`{name}` is more than one failure", f"say more of the id:\n{listed}")
    if failures:
        return [node("failure", failures[0].id).id]
    try:
        run_id = record.store.find(name)
    except UnknownName:
        raise UnknownName("failure", name, (), "the ids: loopwright classify RUN") from None
    found = make_failing(record.settings, record.store, getattr(record, "repository", None)).analyse(run_id)
    return [node("failure", run_id).id, *(node("failure", one.id).id for one in found.failures)]


def _tree(found: Graph, back: bool, width: int) -> str:
    """Draw it for people; what was drawn before is only named."""
    nodes = {one.id: one for one in found.nodes}
    beyond: dict[str, list[Edge]] = {}
    for edge in found.edges:
        beyond.setdefault(edge.target if back else edge.source, []).append(edge)
    lines: list[str] = []
    drawn: set[str] = set()
    stack = [(start, 0, "") for start in reversed(found.starts)]
    while stack:
        name, level, lead = stack.pop()
        again = name in drawn
        above = " (see above)" if again and beyond.get(name) else ""
        lines.append(wrapped(f"{lead}{_told(nodes[name])}{above}", width, "  " * level, "    "))
        for edge in reversed([] if again else sorted(beyond.get(name, ()), key=_rank)):
            sure = f" ({edge.certainty:.0%})" if edge.certainty < 1 else ""
            arrow = f"← {edge.relation}{sure} " if back else f"{edge.relation}{sure} → "
            stack.append((edge.source if back else edge.target, level + 1, arrow))
        drawn.add(name)
    return "\n".join(lines) + "\n"


def _rank(edge: Edge) -> tuple[float, int, str]:
    """Put what is surer first, and what can be done now before what takes longer."""
    horizon = edge.target.partition(" ")[2].partition(" ")[0]
    order: list[str] = list(HORIZONS)
    return -edge.certainty, order.index(horizon) if horizon in order else 0, edge.target


def _told(one: Node) -> str:
    name = short(one.name) if one.kind == "failure" and "-" in one.name else one.name
    words = f"{one.name.partition(' ')[0].replace('_', ' ')}: {one.detail}" if one.kind == "remediation" else name
    detail = f" {one.detail}" if one.kind == "failure" else ""
    return one_line(f"{one.kind} {words}{detail}")
