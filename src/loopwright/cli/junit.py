"""Checks -> JUnit XML, which every CI can show."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from loopwright.records.check import Check, Verdict

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What no XML may hold, however it is written."""


def junit(checks: Sequence[Check]) -> str:
    """Write a test suite with a case for each check."""
    unverifiable = sum(check.verdict is Verdict.UNVERIFIABLE for check in checks)
    unmet = sum(check.verdict is not Verdict.PASS for check in checks) - unverifiable
    suite = ElementTree.Element(
        "testsuite",
        name="loopwright",
        tests=str(len(checks)),
        failures=str(unmet),
        errors=str(unverifiable),
        time=f"{sum(check.duration_s for check in checks):.3f}",
    )
    for check in checks:
        case = ElementTree.SubElement(
            suite, "testcase", classname=check.kind, name=_clean(check.criterion), time=f"{check.duration_s:.3f}"
        )
        if check.verdict is not Verdict.PASS:
            tag = "error" if check.verdict is Verdict.UNVERIFIABLE else "failure"
            first = _clean(check.evidence.partition("\n")[0])
            ElementTree.SubElement(case, tag, type=check.verdict, message=first).text = _clean(check.evidence)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=False) + "\n"


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
