"""Why a check failed, by rules that read the record alone."""

from __future__ import annotations

import dataclasses

import pytest

from failed_runs import CRITERION, call, changed, check, dossier, signal
from loopwright.diagnose.causes import causes
from loopwright.diagnose.dossier import Dossier
from loopwright.records.check import Verdict
from loopwright.records.proof import Proof, Tampering
from loopwright.records.run import Ending
from loopwright.run.criteria.file import FileCriteria
from loopwright.run.criteria.grep import GrepCriteria

FILES = {
    "tests/test_prices.py": "from shop.prices import total\nfrom shop import vat\n",
    "shop/__init__.py": "",
    "shop/prices.py": "def total(): ...\n",
    "shop/vat.py": "RATE = 19\n",
}
READ = [call(1, "Read", file_path="/w/shop/prices.py"), call(2, "Read", file_path="/w/tests/test_prices.py")]


def likely(found: Dossier) -> tuple[str, float]:
    (trail,) = found.trails
    first = causes(found, trail)[0]
    return first.name, first.certainty


def names(found: Dossier) -> list[str]:
    (trail,) = found.trails
    return [one.name for one in causes(found, trail)]


def test_nothing_recognised_is_novel_at_no_certainty() -> None:
    """A failure that no rule knows is called that, and not guessed at."""
    assert likely(dossier([check(0), check(1, "exited with 3")])) == ("novel", 0.0)


def test_what_judges_was_changed() -> None:
    """Tampering comes before all else, with the file named."""
    proof = Proof(tampering=(Tampering("tests/test_prices.py", "changed"),))
    found = dossier([check(1, verdict=Verdict.TAINTED, proof=proof), check(2, now=(3, 1, 2), before=(3, 2, 1))])
    assert likely(found) == ("anti_pattern/tamper", 0.9)
    assert "tests/test_prices.py was changed" in causes(found, found.trails[0])[0].evidence


def test_a_test_that_passed_fails() -> None:
    """Fewer passes than at the base are a regression; as many passes with another test that fails are one, too."""
    assert likely(dossier([check(1, now=(3, 1, 2), before=(3, 2, 1))])) == ("code_bug/regression", 0.55)
    output = "exited with 1\nFAIL: {} (tests.T.{})\n----\nRan 2 tests in 0.001s\n\nFAILED (failures=1)\n"
    base = check(0, output.format("test_a", "test_a"))
    swapped = check(1, output.format("test_b", "test_b"), now=(2, 1, 1), before=(2, 1, 1))
    assert "code_bug/regression" in names(dossier([base, swapped]))
    same = check(1, output.format("test_a", "test_a"), now=(2, 1, 1), before=(2, 1, 1))
    assert "code_bug/regression" not in names(dossier([base, same]))


def test_some_of_the_tests_pass() -> None:
    """More passes than at the base, and not all: the way is right."""
    assert likely(dossier([check(1, now=(3, 2, 1), before=(3, 1, 2))])) == ("code_bug/incomplete", 0.5)


@pytest.mark.parametrize("base", ["exited with 1", "exited with 1\nSyntaxError: invalid syntax"])
def test_code_that_cannot_be_read(base: str) -> None:
    """A syntax error is a bug in the code, unless it was there before."""
    found = names(dossier([check(0, base), check(1, "exited with 1\nSyntaxError: invalid syntax")]))
    assert ("code_bug/syntax" in found) == ("Syntax" not in base)


def test_too_slow() -> None:
    """What ends in time at the base and not after the change is too slow."""
    assert likely(dossier([check(0), check(1, "did not end within 60 s")])) == ("code_bug/too_slow", 0.5)


def test_the_same_failure_after_different_edits() -> None:
    """Three edits and one failure to the end: the approach is doubted, the more the more edits there were."""
    alike = [check(number, f"exited with 1\nAssertionError: {number} != 7") for number in (1, 2, 3)]
    assert likely(dossier(alike)) == ("architecture/same_failure", 0.65)
    more = [*alike, check(4, "exited with 1\nAssertionError: 9 != 7")]
    assert likely(dossier(more))[1] == 0.7


def test_not_the_same_failure() -> None:
    """Neither two edits, nor one tree judged three times, nor what held in the end shows a wrong approach."""
    two = [check(1, "exited with 1\nKeyError"), *(check(number, "exited with 1\nTypeError") for number in (2, 3))]
    assert "architecture/same_failure" not in names(dossier(two))
    one_tree = [dataclasses.replace(check(number), tree_hash="t") for number in (1, 2, 3)]
    assert "architecture/same_failure" not in names(dossier(one_tree))
    held = [*(check(number) for number in (1, 2, 3)), check(4, verdict=Verdict.PASS)]
    assert "architecture/same_failure" not in names(dossier(held))


def test_a_file_that_nobody_read() -> None:
    """What the failing test imports and the agent never looked at was missing; what it was told of was not."""
    found = dossier([check(1)], files=FILES, events=READ)
    assert likely(found) == ("missing_context/unread_file", 0.5)
    assert "`shop/vat.py`" in causes(found, found.trails[0])[0].evidence
    assert "missing_context/unread_file" not in names(dataclasses.replace(found, told="see `shop/vat.py`:"))
    whole = dossier([check(1)], files=FILES, events=[*READ, call(3, "Bash", command="cat shop/vat.py")])
    assert "missing_context/unread_file" not in names(whole)


def test_an_agent_whose_calls_are_not_known_is_not_blamed() -> None:
    """Where no call is in the record, nobody can say what was not read."""
    assert likely(dossier([check(1)], files=FILES)) == ("novel", 0.0)


def test_a_name_that_was_guessed() -> None:
    """A module that is not there and that the change uses was guessed; one that only the test wants was not."""
    told = "exited with 1\nModuleNotFoundError: No module named 'taxes'"
    used = dossier([check(1, told)], diff=changed("shop/vat.py", line="+import taxes"))
    assert likely(used) == ("missing_context/unknown_name", 0.6)
    assert "missing_context/unknown_name" not in names(dossier([check(1, told)], diff=changed("shop/vat.py")))


def test_a_criterion_that_was_never_touched() -> None:
    """A file that must be there, and that nobody made though others were changed, was not understood."""
    wanted = FileCriteria("docs/vat.md")
    failed = check(1, "there is no file docs/vat.md", criterion=wanted)
    found = dossier([failed], criteria=[wanted], diff=changed("shop/vat.py"))
    assert likely(found) == ("misunderstood/untouched_criterion", 0.6)
    touched = dossier([failed], criteria=[wanted], diff=changed("docs/vat.md"))
    assert likely(touched)[0] == "novel"
    glob = GrepCriteria("docs/*.md", "VAT")
    any_of = dossier([check(1, criterion=glob)], criteria=[glob], diff=changed("shop/vat.py"))
    assert likely(any_of)[0] == "novel"


def test_only_what_was_held_out_fails() -> None:
    """All that was shown holds: the goal means more than was done."""
    hidden = FileCriteria("edge", held_out=True)
    failed = check(1, criterion=hidden, held_out=True)
    shown = check(1, verdict=Verdict.PASS)
    assert likely(dossier([shown, failed], criteria=[CRITERION, hidden])) == ("misunderstood/held_out", 0.5)


def test_a_wrong_result_of_changed_code() -> None:
    """A test of a changed file that fails in another way than at the base shows a mistake in the code."""
    base, now = check(0, "exited with 1\nImportError"), check(1, "exited with 1\nAssertionError: 3 != 4")
    found = dossier([base, now], files=FILES, diff=changed("shop/prices.py"))
    assert likely(found) == ("code_bug/wrong_result", 0.45)
    assert likely(dossier([base, now], files=FILES, diff=changed("README.md")))[0] == "novel"


def test_nobody_got_to_work() -> None:
    """An attempt that ended before anything was changed says nothing of the code: a human looks."""
    found = dossier([check(1)], endings={1: Ending.MAX_TURNS})
    assert likely(found) == ("novel/max_turns", 0.7)


def test_the_surest_comes_first_and_others_stay() -> None:
    """All that rules think is kept, in the order of how sure they are."""
    events = [*READ, call(3, "Bash", command="make it")]
    found = dossier(
        [check(1, now=(3, 1, 2), before=(3, 2, 1))], files=FILES, events=events, signals=[signal("error_loop", 3)]
    )
    assert names(found) == ["anti_pattern/error_loop", "code_bug/regression", "missing_context/unread_file"]
