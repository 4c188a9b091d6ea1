"""The result of a call -> whether it is that of waiting: what fails again then is a question, and no loop."""

from __future__ import annotations

import re

from loopwright.records.event import Event
from loopwright.text.commands import Part, actions_of, is_look, parts_of
from loopwright.text.test_outcome import outcome_of

_TOOLS = frozenset(
    {"bashoutput", "taskoutput", "agentoutput", "write_stdin", "read_bash", "get_terminal_output", "read_terminal"}
)
_TOOL_WORD = re.compile(r"[A-Z]?[a-z]+")
_TOOL_WORDS = frozenset({"wait", "await", "sleep", "poll", "status"})
_PAUSES = frozenset({"sleep", "until", "while", "watch"})
_PROBES = frozenset(
    {
        *("pgrep", "pidof", "lsof", "ss", "netstat", "nc", "ncat", "ping", "telnet", "dig", "nslookup", "host"),
        *("pg_isready", "squeue", "qstat", "journalctl"),
    }
)
"""They ask whether something is there, and do nothing else."""
_ASKING = frozenset({"curl", "wget", "http", "redis-cli", "psql", "grpcurl"})
_STATE_WORDS = frozenset({"status", "is-active", "is-enabled", "is-failed", "is-running", "isready", "health"})
"""With these any program says how something is that it looks after."""
_QUESTIONS = frozenset(
    {
        *("get", "list", "ls", "show", "view", "info", "top", "events", "inspect", "describe", "wait", "watch", "ps"),
        *("ping", "logs", "checks", "rollout", "trace", "head", "query", "capture"),
    }
)
"""With these, or words that begin so (`describe-stacks`), only some do."""
_KEEPERS = frozenset(
    {
        *("kubectl", "oc", "helm", "docker", "podman", "docker-compose", "nomad", "aws", "gcloud", "az", "oci"),
        *("doctl", "mysqladmin", "consul", "ssh"),
        *("gh", "glab", "systemctl", "launchctl", "supervisorctl", "pm2", "fly", "flyctl", "vercel", "heroku"),
        *("netlify", "railway", "wrangler", "argocd", "vagrant", "virsh", "tmux"),
    }
)
"""They look after jobs, machines and services."""
_OWN = frozenset(
    {
        *("git", "make", "npm", "pnpm", "yarn", "bun", "deno", "node", "python", "python3", "cargo", "go", "just"),
        *("task", "mise", "pip", "pip3", "uv", "ruby", "rake", "rails", "php", "java", "dotnet", "brew", "apt"),
    }
)
"""These work on what the agent works on: where they fail, something is wrong."""
_FIRST_WORDS = 6
_HEALTH = re.compile(r"/(?:-/)?(?:health|ready|live|status|ping|alive|up)(?:z|y|iness|ness|check)?/?(?:[?#]|$)")
_REFUSED = frozenset({7, 28, 52, 56})
"""What curl ends with where nobody answers."""
_ASKED_WRONGLY = re.compile(
    r"usage:|unknown (?:\w+ )?(?:flag|option|command|argument)|unrecognized|not recognized|command not found|invalid "
    r"|syntax error|unauthori[sz]ed|forbidden|denied|credentials|log ?in\b|no such (?:option|command)"
    r"|have a resource type|required|is not a \w+ command",
    re.IGNORECASE,
)
_NOT_READY = re.compile(
    r"connection refused|ECONNREFUSED|couldn.t connect|failed to connect|not ready|still running|in progress|pending"
    r"|starting up|ContainerCreating|no such host|timed? ?out|503|502|empty reply",
    re.IGNORECASE,
)
_LOCKED = re.compile(
    r"index\.lock|another git process|cannot lock ref|could not get lock|waiting for (?:cache |file )?lock|lock held"
    r"|database is locked|resource temporarily unavailable|blocking waiting for file lock"
    r"|(?:acquir\w+|obtain\w*|get|take) (?:the |an? )?(?:\w+ )?lock\b|already locked|locked by"
    r"|lock is held|lock timeout"
    r"|another (?:\w+ )?(?:process|instance|operation|deployment) (?:is|has|\()|state lock",
    re.IGNORECASE,
)
_COMING = frozenset({"ls", "stat", "test", "[", "[[", "du", "wc", "file", "find"})
"""They look whether a file has come, and what of it."""
_NOT_THERE = re.compile(r"no such file|cannot access|cannot stat|does not exist|cannot open", re.IGNORECASE)
_SEEN = 3_000


def is_waiting(event: Event) -> bool:
    """Say whether a result is that of waiting: for a server, a job of others, a lock."""
    tool = event.tool or ""
    if tool.lower() in _TOOLS or any(word.lower() in _TOOL_WORDS for word in _TOOL_WORD.findall(tool)):
        return True
    text = event.text[-_SEEN:]
    if event.is_error and _LOCKED.search(text):
        return True
    if not event.command:
        return False
    if any(part.program in _PAUSES or part.program.startswith("wait") for part in parts_of(event.command)):
        return outcome_of(event.command, event.text).state != "failed"  # a build that failed after a pause has failed
    actions = actions_of(event.command)
    if actions and all(part.program in _COMING for part in actions):
        return not text.strip() or _NOT_THERE.search(text) is not None
    if actions and all(_asks_for_state(part) or is_look(part) for part in actions):
        return any(map(_asks_for_state, actions)) and not _ASKED_WRONGLY.search(text)
    if not any(part.program in _ASKING for part in actions):
        return False
    return not text.strip() or event.exit_code in _REFUSED or _NOT_READY.search(text) is not None


def _asks_for_state(part: Part) -> bool:
    """Say whether a part asks how something is that others look after, also on another machine or in a container."""
    if part.program in _PROBES:
        return True
    if part.program in _ASKING:
        return any(map(_HEALTH.search, part.words[1:]))
    if part.program in _OWN or part.words[0].startswith("."):
        return False
    said = [word for word in " ".join(part.words[1:]).split() if not word.startswith("-")][:_FIRST_WORDS]
    if part.program in _KEEPERS and any(_is_question(word) for word in said):
        return True
    return not _STATE_WORDS.isdisjoint(said)


def _is_question(word: str) -> bool:
    return word.partition("-")[0] in _QUESTIONS or word in _PROBES or _HEALTH.search(word) is not None
