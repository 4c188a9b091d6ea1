"""What failing tests import of the project."""

from __future__ import annotations

import time

from failed_runs import check
from loopwright.diagnose.imports import files_of_tests, imported_by

FILES = {
    "tests/test_a.py": "import os\nfrom shop.prices import total, vat\nimport shop.cart as c, json\nfrom . import x\n",
    "shop/prices.py": "x",
    "shop/cart/__init__.py": "x",
    "web/cart.test.ts": "import { total } from './cart'\nconst x = require('../lib/x.js')\nimport y from 'react'\n",
    "web/cart.ts": "x",
    "lib/x.js": "x",
    "src/plain.py": "x",
}


def test_imports_of_python_and_javascript() -> None:
    """Modules, packages and relative files are found; what is not the project's is not."""
    python = check(1, command="python3 -m unittest tests.test_a.Prices.test_b")
    assert imported_by(python, FILES.get) == ["shop/prices.py", "shop/cart/__init__.py"]
    script = check(1, "FAIL web/cart.test.ts\n", command="npx jest")
    assert imported_by(script, FILES.get) == ["web/cart.ts", "lib/x.js"]


def test_tests_are_named_by_the_command_or_the_evidence() -> None:
    """A path, a dotted name and a line of the output name a test; a plain source file is none."""
    assert files_of_tests(check(1, command="pytest tests/test_a.py::test_b"), FILES.get) == ["tests/test_a.py"]
    told = check(1, 'File "tests/test_a.py", line 3\nsrc/plain.py:4: E', command="make")
    assert files_of_tests(told, FILES.get) == ["tests/test_a.py"]
    assert files_of_tests(check(1, "/tests/none_test.py", command=None), FILES.get) == []


def test_any_text_is_read_in_time() -> None:
    """Hostile evidence and hostile files do not keep it busy."""
    began = time.monotonic()
    hostile = {"tests/test_a.py": "from " + "a." * 100_000 + "\n" + "import " + " ," * 100_000}
    imported_by(check(1, "test." * 20_000 + "tests/test_a.py " + "../" * 20_000), hostile.get)
    assert time.monotonic() - began < 5
