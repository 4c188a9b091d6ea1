"""Failures and post-mortems as nodes and edges."""

from __future__ import annotations

from failed_runs import at, check, dossier, failure
from loopwright.diagnose.failures import failures
from loopwright.diagnose.linking import links_of, links_of_postmortem
from loopwright.diagnose.postmortem import postmortem
from loopwright.records.proof import Proof, Tampering


def test_from_failure_to_what_is_in_use() -> None:
    """Two failures of one root share its cause, its remedies and what those are applied to."""
    found = links_of(
        [
            failure("a", cause="misunderstood", detail="held_out"),
            failure("b", cause="misunderstood", detail="held_out"),
        ],
        at(1),
    )
    kinds = [node.kind for node in found.nodes]
    assert (kinds.count("failure"), kinds.count("cause"), kinds.count("remediation")) == (2, 1, 3)
    assert {node.id for node in found.nodes} >= {"prompt worker/bug_fix", "profile worker/bug_fix"}
    caused = [edge for edge in found.edges if edge.relation == "caused_by"]
    assert [(edge.run_id, edge.certainty) for edge in caused] == [("a", 0.6), ("b", 0.6)]
    known = {node.id for node in found.nodes}
    assert all(edge.source in known and edge.target in known for edge in found.edges)
    assert all(edge.run_id == "" for edge in found.edges if edge.relation != "caused_by")


def test_a_postmortem_links_each_candidate() -> None:
    """Each candidate cause is linked with its probability."""
    made = dossier([check(1, proof=Proof(tampering=(Tampering("t", "changed"),)), now=None)])
    written = postmortem(made, failures(made), at(5))
    found = links_of_postmortem(written, "worker/bug_fix")
    (edge,) = [one for one in found.edges if one.relation == "caused_by"]
    assert (edge.source, edge.target, edge.certainty) == (
        "failure run",
        "cause anti_pattern/tamper in worker/bug_fix",
        0.9,
    )
