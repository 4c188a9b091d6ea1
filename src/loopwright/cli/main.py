"""`loopwright`: finds the command, loads only that, and turns errors into messages and exit codes."""

from __future__ import annotations

import difflib
import sys
from importlib import import_module

import click

from loopwright.errors import LoopwrightError, UsageError

COMMANDS = {
    "scan": ("scan", "See where your agents spend time and money."),
    "run": ("run", "Run a task until its criteria hold."),
    "resume": ("resume", "Take a run up again, with a comment or more to spend."),
    "batch": ("batch", "Run several task files."),
    "runs": ("runs", "List the runs, the newest first."),
    "show": ("show", "Show a run: its attempts, checks and events."),
    "signals": ("signals", "List what went wrong or well in sessions, with its evidence."),
    "patterns": ("patterns", "List what goes wrong again and again, what matters most first."),
    "findings": ("findings", "List what could be better, and what became of what was found before."),
    "classify": ("classify", "Say what steps were, and why checks failed."),
    "postmortem": ("postmortem", "Write what happened in a run that went wrong, and what may be the cause."),
    "graph": ("graph", "Show a failure's causes, what prevents them, and what that is applied to."),
    "insights": ("insights", "Say what keeps failing, what helps, and who does better."),
    "metrics": ("metrics", "See how your agents do: pass rates, time and cost, over time."),
    "critic": ("critic", "Score a run by a rubric."),
    "feedback": ("feedback", "Say what you think of a run: up or down."),
    "prompts": ("prompts", "Versions of what agents are told: list, show, diff, log, set, rollback."),
    "profiles": ("profiles", "Versions of what agents are set to: list, show, diff, log, set, rollback."),
    "library": ("library", "What was learned: list, show, edit as files, accept, retire, tell."),
    "patches": ("patches", "Changes that could help: make, list, show, test, release, apply, run, reject."),
    "experiments": ("experiments", "Compare two ways to work until the evidence decides."),
    "replay": ("replay", "Do finished tasks again with two profiles, and compare."),
    "releases": ("releases", "List what was put into use, and what came of it."),
    "improve": ("improve", "Look at what happened, and put what could help before you."),
    "reviews": ("reviews", "List, show and answer what was put before you."),
    "compare": ("compare", "Put two runs side by side."),
    "export": ("export", "Write a run as JSON, HTML, ATIF or OTLP."),
    "import": ("bring_in", "Bring exported runs back in."),
    "check": ("check", "Judge the files as they are, by the rules of a run."),
    "land": ("land", "Put a finished run's work on its branch, checked again."),
    "verify": ("verify", "Compute the proof of a finished run once more."),
    "queue": ("queue", "List the runs that wait for a human."),
    "close": ("close", "Take a run out of the queue."),
    "init": ("init", "Write a settings file for this repository."),
    "doctor": ("doctor", "Say what works here and what is missing."),
    "demo": ("demo", "See it at work in a sample repository."),
    "gc": ("gc", "Remove clones of ended runs, old raw streams and old events; never a branch."),
    "backup": ("backup", "Copy the store into one file, while runs are at work."),
    "serve": ("serve", "Take traces and finished runs of other programs."),
    "restore": ("restore", "Put a backup into the store; also the way to another database."),
}
"""Command -> the file and the function that hold it, and what the help says. The files are not loaded for the help."""


_STARTING = ("patches", "run", "resume", "batch", "replay", "check", "verify", "land", "demo")
"""Commands that start programs of others."""


class LazyGroup(click.Group):
    """Commands that are loaded when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        file = COMMANDS[name][0]
        command: click.Command = getattr(import_module(f"loopwright.cli.{file}"), file)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            guess = f" Did you mean `{near[0]}`?" if near else " See: loopwright --help"
            ctx.fail(f"there is no command `{args[0]}`.{guess}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    epilog="Exit codes: 0 done; 1 broken set-up or our own error; 2 usage; 3 tainted; 4 unverifiable; "
    "5 any other unmet end; 7 money, tokens or time ran out; 130 cancelled.",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="loopwright", prog_name="loopwright")
def cli() -> None:
    """Run coding agents until your checks pass."""


def program() -> None:
    """Be the program `loopwright`: nobody else starts any here, and every orphan is ours to end."""
    if sys.argv[1:2] and sys.argv[1] in _STARTING:
        from loopwright.process.adopted import adopt

        adopt()
    main()


def main() -> None:
    """Run the command line and leave with its exit code."""
    try:
        _check_words(sys.argv[1:])
        code = cli.main(standalone_mode=False)
    except click.exceptions.Exit as error:
        code = error.exit_code
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except LoopwrightError as error:
        click.echo(f"error: {error}", err=True)
        code = error.exit_code
    except (KeyboardInterrupt, click.Abort):
        from loopwright.cli.leaving import leave

        leave()
        code = 130
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has left; there is nobody to complain to
        code = 1
    except OSError as error:
        click.echo(
            f"error: {error}\nhint: is it writable, and is there room on the disk? see: loopwright doctor", err=True
        )
        code = 1
    sys.exit(code if isinstance(code, int) else 0)


def _check_words(words: list[str]) -> None:
    """Refuse bytes that are no text here: nothing that is stored, shown or hashed could hold them."""
    for word in words:
        if word != (shown := word.encode(errors="replace").decode()):
            raise UsageError(f"`{shown}` is not text", "write it in UTF-8")
