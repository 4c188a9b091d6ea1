"""What commands put into files, in place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loopwright.text.changes import Change
from loopwright.text.command_edits import edits_by


@pytest.mark.parametrize(
    ("command", "edits"),
    [
        ("sed -i 's/a/b/' x.py", [Change("x.py", "a", "b")]),
        ("sed -i.bak -e 's#a/b#c#g' x.py y.py", [Change("x.py", "a/b", "c"), Change("y.py", "a/b", "c")]),
        (r"sed -i 's/^a\.b$/x\ny\/z/' x.py", [Change("x.py", "a.b", "x\ny/z")]),
        ("sed -i '3i new line' x.py", [Change("x.py", "\n", "new line")]),
        (r"sed -i '/a b/a\new' x.py", [Change("x.py", "\n", "new")]),
        ("sed -i '1,/x/s/a/b/' /tmp/x.py", [Change("/tmp/x.py", "a", "b")]),
        (r"perl -pi -e 's/\bit\(/xit(/' x.ts", [Change("x.ts", "it(", "xit(")]),
        ("echo 'a = 1' >> conftest.py", [Change("conftest.py", "\n", "a = 1")]),
        ("cat > x.py <<'EOF'\na\nb\nEOF\npytest", [Change("x.py", "", "a\nb", is_whole=True)]),
        ("cat <<EOF > x.py\na\nEOF", [Change("x.py", "", "a", is_whole=True)]),
        ("cat >> x.py <<EOF\na\nEOF", []),
        ("cat > x.py <<EOF\na, and it is cut", []),
        ("mv tests/test_a.py tests/test_a.py.bak", [Change("tests/test_a.py", is_deleted=True)]),
        ("git mv tests/test_a.py old/a.txt", [Change("tests/test_a.py", is_deleted=True)]),
        ("mv tests/test_a.py tests/_test_a.py", [Change("tests/test_a.py", is_deleted=True)]),
        ("mv tests/test_a.py /tmp/", [Change("tests/test_a.py", is_deleted=True)]),
        ("mv tests/test_a.py tests/unit/", []),
        ("mv tests/test_a.py tests/test_b.py", []),
        ("mv test_a.py a.bak && pytest; mv a.bak test_a.py", []),
        ("sed 's/a/b/' x.py", []),
        ("sed -n 1,5p x.py", []),
        ("sed -i '/a/d' x.py", []),
        ("sed -i 's/a' x.py", []),
        ("sed -i", []),
        ("echo hello", []),
        ("", []),
    ],
)
def test_edits(command: str, edits: list[Change]) -> None:
    """What is replaced or inserted is known with its file; what only shows or deletes puts nothing there."""
    assert list(edits_by(command)) == edits


@given(st.text(alphabet="sdiac/\\#$^,! '\"\n1x-e.", max_size=60))
def test_no_script_fails(script: str) -> None:
    """Whatever a command says, it can be read."""
    assert all(change.path for change in edits_by(f"sed -i {script} x.py"))
