"""A plug-in for the project's own pytest: one line of JSON for each thing that happened, in a file of ours.

Runs in the project's Python, whatever its version; copied to where it is needed.
"""

import json
import os
import sys
import time

import pytest

_FOLDER = os.environ.pop("LOOPWRIGHT_REPORT", "")
_ROOT = os.environ.get("LOOPWRIGHT_ROOT", os.getcwd())
_FOREIGN = os.environ.pop("LOOPWRIGHT_FOREIGN", "")

# A pytest that a test starts is not ours to count.
os.environ["PYTEST_ADDOPTS"] = os.environ.get("PYTEST_ADDOPTS", "").replace("-p loopwright_report", "").strip()
os.environ["PYTHONPATH"] = ""
for _name in ("PYTEST_ADDOPTS", "PYTHONPATH"):
    if not os.environ[_name]:
        del os.environ[_name]


def pytest_configure(config):
    if _FOLDER and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Reporter(config), "loopwright-reporter")


class Reporter:
    """Tells of the tests that were found, and of each as it ends."""

    def __init__(self, config):
        self._root = str(getattr(config, "rootpath", None) or config.rootdir)
        name = "%d-%d.jsonl" % (time.time() * 1000, os.getpid())
        self._file = open(os.path.join(_FOLDER, name), "w", encoding="utf-8")
        self._write("begin", _ROOT)

    def _write(self, kind, *values):
        self._file.write(json.dumps([kind] + list(values)) + "\n")
        self._file.flush()

    def _found(self, name):
        path = os.path.join(self._root, name.split("::")[0])
        self._write("found", name, os.path.relpath(path, _ROOT))

    def pytest_collection_finish(self, session):
        for item in session.items:
            self._found(item.nodeid)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node, ids):
        for name in ids:
            self._found(name)

    def pytest_collectreport(self, report):
        if report.failed:
            self._write("trouble", report.nodeid or "collecting the tests failed")
        elif report.skipped and report.nodeid:
            self._found(report.nodeid)
            self._write("ended", report.nodeid, "skipped")

    def pytest_runtest_logreport(self, report):
        if hasattr(report, "wasxfail") and report.outcome != "failed":
            outcome = "skipped"
        else:
            outcome = report.outcome
        if outcome != "passed" or report.when == "call":
            self._write("ended", report.nodeid, outcome)

    def pytest_sessionfinish(self, session, exitstatus):
        if _FOREIGN:
            self._write("foreign", _foreign())
        self._write("end", int(exitstatus))
        self._file.close()


def _foreign():
    """The files that were imported from the user's own checkout."""
    files = [getattr(module, "__file__", None) or "" for module in list(sys.modules.values())]
    return sorted(name for name in files if isinstance(name, str) and name.startswith(_FOREIGN + os.sep))[:5]
