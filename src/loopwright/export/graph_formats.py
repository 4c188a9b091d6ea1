"""A part of the knowledge graph -> Mermaid, GraphML, or Cypher for Neo4j; whatever names hold, they stay names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from loopwright.records.graph import Graph, Node
from loopwright.text.readable import readable

_PLAIN = frozenset(" -_.,:/")
"""Signs that mean nothing to Mermaid in a quoted label; all others but letters and digits are written as numbers."""
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_NODE_FIELDS = ("kind", "name", "detail")
_EDGE_FIELDS = ("relation", "certainty", "at")
_LONGEST = 120


def mermaid(graph: Graph) -> str:
    """Write a flowchart."""
    names = _names(graph)
    lines = ["flowchart LR"]
    lines += [f'    {names[one.id]}["{_label(_told(one))}"]:::{_word(one.kind)}' for one in graph.nodes]
    for edge in graph.edges:
        sure = f" {edge.certainty:.2f}" if edge.certainty < 1 else ""
        lines.append(f'    {names[edge.source]} -->|"{_word(edge.relation)}{sure}"| {names[edge.target]}')
    lines += ["    classDef failure fill:#fdd,stroke:#900", "    classDef cause fill:#ffd,stroke:#960"]
    return "\n".join([*lines, "    classDef remediation fill:#dfd,stroke:#060"]) + "\n"


def graphml(graph: Graph) -> str:
    """Write GraphML, with the fields of nodes and edges as data."""
    top, names = Element("graphml", xmlns=_NAMESPACE), _names(graph)
    for place, fields in (("node", _NODE_FIELDS), ("edge", _EDGE_FIELDS)):
        for name in fields:
            kind = "double" if name == "certainty" else "string"
            SubElement(top, "key", {"id": name, "for": place, "attr.name": name, "attr.type": kind})
    inner = SubElement(top, "graph", id="knowledge", edgedefault="directed")
    for one in graph.nodes:
        _data(SubElement(inner, "node", id=names[one.id]), vars(one), _NODE_FIELDS)
    for edge in graph.edges:
        ends = {"source": names[edge.source], "target": names[edge.target]}
        _data(SubElement(inner, "edge", ends), vars(edge), _EDGE_FIELDS)
    indent(top)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(top, encoding="unicode") + "\n"


def cypher(graph: Graph) -> str:
    """Write statements that put it into Neo4j; run again, they change nothing."""
    return "".join(f"{line};\n" for line in _statements(graph))


def _statements(graph: Graph) -> Iterable[str]:
    for one in graph.nodes:
        label = _word(one.kind).capitalize()
        told = f"SET n.name = {_string(one.name)}, n.detail = {_string(one.detail)}"
        yield f"MERGE (n:{label} {{id: {_string(one.id)}}}) {told}"
    kinds = {one.id: _word(one.kind).capitalize() for one in graph.nodes}
    for edge in graph.edges:
        ends = f"(a:{kinds[edge.source]} {{id: {_string(edge.source)}}})"
        ends += f", (b:{kinds[edge.target]} {{id: {_string(edge.target)}}})"
        made = f"MERGE (a)-[r:{_word(edge.relation).upper()}]->(b)"
        yield f"MATCH {ends} {made} SET r.certainty = {float(edge.certainty):.4f}, r.at = {_string(edge.at)}"


WRITERS: Mapping[str, Callable[[Graph], str]] = {"mermaid": mermaid, "graphml": graphml, "cypher": cypher}
ENDINGS = {"mermaid": "mmd", "graphml": "graphml", "cypher": "cypher", "json": "json", "text": "txt"}


def _names(graph: Graph) -> dict[str, str]:
    return {one.id: f"n{number}" for number, one in enumerate(graph.nodes)}


def _told(one: Node) -> str:
    words = " ".join(readable(f"{one.kind}: {one.detail or one.name}").split())
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


def _label(text: str) -> str:
    return "".join(sign if sign.isalnum() or sign in _PLAIN else f"#{ord(sign)};" for sign in text)


def _word(text: str) -> str:
    """Keep what a name of ours may hold."""
    return re.sub(r"[^A-Za-z_]", "_", text) or "_"


def _data(element: Element, values: Mapping[str, object], fields: Iterable[str]) -> None:
    for name in fields:
        SubElement(element, "data", key=name).text = _NO_XML.sub("\ufffd", str(values[name]))


def _string(text: str) -> str:
    """Quote a text; a backslash is doubled first, so that none of the text's own escapes is left."""
    shown = readable(text).replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\t", "\\t")
    return f"'{shown}'"
