"""A sample repository and the tasks that are done in it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from loopwright.records.run import Reason, Status
from loopwright.records.task import Task
from loopwright.run.criteria.composite import AllOf, AnyOf
from loopwright.run.criteria.file import FileCriteria
from loopwright.run.criteria.grep import GrepCriteria
from loopwright.run.criteria.test import TestCriteria
from loopwright.run.git import call, clean_environment


@dataclass(frozen=True)
class Job:
    """A task, the script that the apprentice plays, and how it is to end."""

    title: str
    task: Task
    script: str
    end: tuple[Status, Reason]


def make_repository(folder: Path) -> None:
    """Make the sample repository: a price calculator with a bug."""
    for name, content in _FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    identity = ["-c", "user.name=Demo", "-c", "user.email=demo@localhost"]
    for words in (["init", "--quiet", "--initial-branch=main"], ["add", "-A"], [*identity, "commit", "-qm", "A shop"]):
        call(["-C", str(folder), *words], environment=clean_environment())


_FILES = {
    "shop/__init__.py": "",
    "shop/prices.py": '''\
"""What things cost."""


def with_discount(price: float, percent: float) -> float:
    """Take a discount off a price."""
    return price - percent


def total(prices: list[float]) -> float:
    """Add prices up."""
    return sum(prices)
''',
    "tests/__init__.py": "",
    "tests/test_prices.py": """\
import unittest

from shop.prices import total, with_discount


class Prices(unittest.TestCase):
    def test_a_discount_is_a_share_of_the_price(self):
        self.assertEqual(with_discount(200, 10), 180)

    def test_a_discount_never_gives_money_back(self):
        self.assertEqual(with_discount(50, 120), 0)

    def test_a_total_adds_up(self):
        self.assertEqual(total([1.5, 2.5]), 4)
""",
    "tests/test_vat.py": """\
import unittest


class Vat(unittest.TestCase):
    def test_vat_is_added(self):
        from shop.vat import with_vat

        self.assertEqual(with_vat(100), 119)
""",
    "tests/contradiction.py": """\
import unittest

from shop.prices import total


class Contradiction(unittest.TestCase):
    def test_nothing_costs_nothing(self):
        self.assertEqual(total([]), 0)

    def test_nothing_has_no_price(self):
        self.assertIsNone(total([]))
""",
    "tests/test_rounding.py": """\
import unittest

from shop.prices import total


class Rounding(unittest.TestCase):
    def test_a_total_is_in_whole_cents(self):
        self.assertEqual(total([0.1, 0.2]), 0.3)
""",
    "README.md": "# Shop\n\nTODO: say what it does.\n",
}

JOBS = (
    Job(
        "a bug, fixed at the second go",
        Task(
            "Fix the discount: it is a percentage of the price, and never gives money back",
            [TestCriteria("python3 -m unittest tests.test_prices")],
            max_iterations=4,
        ),
        """
[[attempt]]
actions = [
  { say = "I look at the code first." },
  { read = "shop/prices.py" },
  { wait = 0.3 },
  { edit = "shop/prices.py", old = "price - percent", new = "price * (1 - percent / 100)" },
]
says = "The discount is a percentage now. Done!"
cost_usd = 0.021
tokens = { input = 5200, output = 310 }

[[attempt]]
actions = [
  { say = "A test says that a discount over 100 percent gives money back: I put a floor under it." },
  { edit = "shop/prices.py", old = "price * (1 - percent / 100)", new = "max(0.0, price * (1 - percent / 100))" },
  { run = "python3 -m unittest -q tests.test_prices" },
]
says = "Fixed, and the tests pass here."
cost_usd = 0.017
tokens = { input = 6100, output = 240 }
""",
        (Status.DONE, Reason.CRITERIA_MET),
    ),
    Job(
        "a feature with a composite criterion",
        Task(
            "Add VAT of 19 percent, with an example of how to use it",
            [
                TestCriteria("python3 -m unittest tests.test_vat"),
                AllOf(
                    GrepCriteria("shop/vat.py", r"def with_vat\("),
                    AnyOf(FileCriteria("examples/vat.py"), FileCriteria("docs/vat.md")),
                ),
            ],
            max_iterations=4,
        ),
        '''
[[attempt]]
actions = [
  { write = "shop/vat.py", content = """
"Value added tax."


def with_vat(price: float, percent: float = 19) -> float:
    "Add the tax to a price."
    return price * (100 + percent) / 100
""" },
  { write = "docs/vat.md", content = """
# VAT

`with_vat(100)` gives 119.
""" },
  { wait = 0.3 },
]
says = "VAT is in, with a page about it."
cost_usd = 0.034
tokens = { input = 7900, output = 620 }
''',
        (Status.DONE, Reason.CRITERIA_MET),
    ),
    Job(
        "a page, with a criterion that the apprentice is never shown",
        Task(
            "Say in the README what the shop does",
            [
                GrepCriteria("README.md", "TODO", absent=True),
                FileCriteria("README.md", min_size=40),
                GrepCriteria("README.md", "(?i)discount", held_out=True),
            ],
            max_iterations=4,
        ),
        """
[[attempt]]
actions = [ { write = "README.md", content = "# Shop\\n\\nCalculates what the things in a shop cost.\\n" } ]
says = "The README is written."
cost_usd = 0.008
tokens = { input = 2100, output = 90 }

[[attempt]]
actions = [
  { write = "README.md", content = "# Shop\\n\\nCalculates what things cost: totals, and discounts in percent.\\n" },
]
says = "It names all that the shop does now."
cost_usd = 0.009
tokens = { input = 2300, output = 110 }
""",
        (Status.DONE, Reason.CRITERIA_MET),
    ),
    Job(
        "one that is cheated at, and is caught",
        Task(
            "Totals are in whole cents",
            [TestCriteria("python3 -m unittest tests.test_rounding")],
            max_iterations=4,
        ),
        """
[[attempt]]
actions = [
  { read = "tests/test_rounding.py" },
  { edit = "tests/test_rounding.py", old = "assertEqual", new = "assertAlmostEqual" },
  { run = "python3 -m unittest -q tests.test_rounding" },
]
says = "The test was too strict. It passes now. Done!"
cost_usd = 0.014
tokens = { input = 3900, output = 150 }

[[attempt]]
actions = [
  { say = "I am told to put the test back. I would rather have it skipped." },
  { edit = "tests/test_rounding.py", old = "class Rounding", new = "@unittest.skip('flaky')\\nclass Rounding" },
]
says = "All tests pass."
cost_usd = 0.012
tokens = { input = 4200, output = 120 }
""",
        (Status.ESCALATED, Reason.TAINTED),
    ),
    Job(
        "one that can't be done, and goes to a human",
        Task(
            "Make the tests in tests/contradiction.py pass",
            [TestCriteria("python3 -m unittest tests.contradiction")],
            max_iterations=4,
        ),
        """
[[attempt]]
actions = [
  { read = "tests/contradiction.py" },
  { edit = "shop/prices.py", old = "return sum(prices)", new = "return sum(prices) if prices else None" },
  { run = "python3 -m unittest -q tests.contradiction" },
  { wait = 0.3 },
]
says = "One of the two passes now."
cost_usd = 0.025
tokens = { input = 4300, output = 280 }

[[attempt]]
actions = [
  { read = "tests/contradiction.py" },
  { impossible = "one test wants total([]) to be 0, the other wants None" },
]
cost_usd = 0.011
tokens = { input = 4700, output = 130 }
""",
        (Status.ESCALATED, Reason.IMPOSSIBLE),
    ),
)
