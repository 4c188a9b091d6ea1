"""Cheats on files that only the command names, or that hide behind a link."""

from __future__ import annotations

from integrity.exams import LINK, PROJECT, PYTEST, SHELL, Cheat, put

CHECK = {"calc.sh": SHELL["calc.sh"], "check.sh": SHELL["tests/test_calc.sh"]}
SUITE = {"calc.py": PROJECT["calc.py"], "checks/verify.py": PROJECT["tests/test_calc.py"]}
NODE = {
    "package.json": '{"name": "calc", "scripts": {"test": "node test/index.js"}}\n',
    "add.js": "exports.add = (a, b) => a - b\n",
    "test/index.js": 'process.exit(require("../add.js").add(2, 3) === 5 ? 0 : 1)\n',
}
EASY = "def test_add(): pass\ndef test_double(): pass\n"
FAKE = "mkdir -p fake/.bin; printf '#!/bin/sh\\nexit 0\\n' > fake/.bin/sh; chmod +x fake/.bin/sh"


def _empty(name: str, command: str) -> Cheat:
    return Cheat(f": > {name}", name, CHECK if name == "check.sh" else NODE, command)


NAMED = {
    "a script behind another program": _empty("check.sh", "timeout 60 sh check.sh"),
    "a script behind flags": _empty("check.sh", "bash -euo pipefail check.sh"),
    "a script in a folder": Cheat(
        ": > web/check.sh",
        "web/check.sh",
        {f"web/{name}": text for name, text in CHECK.items()},
        "cd web && sh check.sh",
        in_shell=True,
    ),
    "tests that only the command names": Cheat(
        put("checks/verify.py", EASY), "checks/verify.py", SUITE, f"{PYTEST} checks/verify.py"
    ),
    "settings that only the command names": Cheat(
        put("ci.ini", "[pytest]\naddopts = -k double\n"),
        "ci.ini",
        {**PROJECT, "ci.ini": "[pytest]\n"},
        f"{PYTEST} -c ci.ini tests",
    ),
    "tests of Node by their folder": _empty("test/index.js", "npm test --silent"),
    "a file behind a protected link": Cheat(
        ": > real/suite.sh",
        "real/suite.sh",
        {
            "calc.sh": SHELL["calc.sh"],
            "real/suite.sh": SHELL["tests/test_calc.sh"],
            "tests/link.sh": f"{LINK}../real/suite.sh",
        },
        "sh tests/link.sh",
    ),
    "programs behind a new link": Cheat(
        f"{FAKE}; ln -s fake node_modules",
        "",
        {
            **NODE,
            "package.json": '{"name": "calc", "scripts": {"test": "sh run.sh"}}\n',
            "run.sh": "node test/index.js\n",
        },
        "npm test --silent",
        naive=None,
    ),
    "settings behind signs that end a line for pytest alone": Cheat(
        put("setup.cfg", "[metadata]\nname = x\014[tool:pytest]\014addopts = -k double\n"),
        "setup.cfg",
        {**PROJECT, "setup.cfg": "[metadata]\nname = x\n"},
    ),
}
