from __future__ import annotations

import dataclasses
import threading

from loopwright import FileCriteria, Task
from loopwright.cli.board import Board
from loopwright.cli.several import report, work_through
from loopwright.ports import Agent
from loopwright.records.profile import Profile
from loopwright.wire import make_agent, open_project
from world import Repo


def test_somebody_else_was_faster(repo: Repo) -> None:
    """A run that another process ends just before it is taken up is no error: all is done, and the code says so."""
    task, profile = (
        Task("One", [FileCriteria("made")]),
        Profile(agent="command", agent_options={"command": "touch made"}),
    )
    project, cancel = open_project(repo.root), threading.Event()
    with Board(project.repository) as board:
        other = project.cycle(board, cancel)
        run = other.queue_task(task, profile)

        def slowly(chosen: Profile) -> Agent:
            if not project.store.attempts(run.id):
                assert other.resume(run.id).exit_code == 0
            return make_agent(chosen)

        late = dataclasses.replace(other, make_agent=slowly)
        ends = work_through(late, [run], 1, board, cancel)
        assert report([run], ends, False, board) == 0
        assert report([run], work_through(late, [run], 1, board, cancel), False, board) == 0
    project.close()
