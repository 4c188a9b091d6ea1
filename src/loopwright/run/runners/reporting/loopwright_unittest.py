"""`python -m unittest`, which also writes what became of each test, in the same lines as the plug-in for pytest.

    python loopwright_unittest.py FOLDER arguments …

Runs in the project's Python, whatever its version; copied to where it is needed.
"""

import json
import os
import sys
import unittest

_FOLDER = sys.argv[1]
_ROOT = os.environ.get("LOOPWRIGHT_ROOT", os.getcwd())
_FOREIGN = os.environ.pop("LOOPWRIGHT_FOREIGN", "")


class Result(unittest.TextTestResult):
    """Writes down each test as it ends."""

    def startTest(self, test):
        super().startTest(test)
        self._outcome = "passed"

    def stopTest(self, test):
        super().stopTest(test)
        write("ended", test.id(), self._outcome)

    def addError(self, test, err):
        super().addError(test, err)
        self._outcome = "failed"
        if not isinstance(test, unittest.TestCase):
            write("trouble", str(test))

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._outcome = "failed"

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._outcome = "failed"

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self._outcome = "skipped"

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self._outcome = "skipped"

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self._outcome = "failed"


class Runner(unittest.TextTestRunner):
    """Names the tests before it runs them."""

    resultclass = Result

    def run(self, test):
        for case in cases(test):
            module = sys.modules.get(type(case).__module__)
            path = getattr(module, "__file__", None) or ""
            write("found", case.id(), os.path.relpath(path, _ROOT) if path else "")
        return super().run(test)


def cases(suite):
    """All tests of a suite, however deep."""
    if isinstance(suite, unittest.TestCase):
        return [suite]
    try:
        return [case for inner in suite for case in cases(inner)]
    except TypeError:
        return []


def write(kind, *values):
    _file.write(json.dumps([kind] + list(values)) + "\n")
    _file.flush()


def foreign():
    """The files that were imported from the user's own checkout."""
    files = [getattr(module, "__file__", None) or "" for module in list(sys.modules.values())]
    return sorted(name for name in files if isinstance(name, str) and name.startswith(_FOREIGN + os.sep))[:5]


_file = open(os.path.join(_FOLDER, "report.jsonl"), "w", encoding="utf-8")
write("begin", _ROOT)
sys.path[0] = os.getcwd()
sys.argv = ["python -m unittest"] + sys.argv[2:]
program = unittest.main(module=None, testRunner=Runner, exit=False)
if _FOREIGN:
    write("foreign", foreign())
succeeded = program.result.wasSuccessful()
write("end", 0 if succeeded else 1)
_file.close()
sys.exit(0 if succeeded else 1)
