"""Registries for tests: servers on loopback that answer as the documentation of PromptLayer and of Langfuse says."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from loopback import Handler, on_loopback

KEY, PUBLIC, SECRET = "pl_0123456789abcdef", "pk-lf-1234", "sk-lf-5678-very-secret"
ENVIRONMENT = {"PROMPTLAYER_API_KEY": KEY, "LANGFUSE_PUBLIC_KEY": PUBLIC, "LANGFUSE_SECRET_KEY": SECRET}
BASIC = base64.b64encode(f"{PUBLIC}:{SECRET}".encode()).decode()


@dataclass(frozen=True)
class Fails:
    """The server answers with an error, before or after it has done what was asked."""

    status: int
    body: bytes = b'{"message": "the stub says so"}'
    headers: dict[str, str] = field(default_factory=dict)
    done: bool = False


@dataclass(frozen=True)
class Cut:
    """The connection ends in the middle of an answer; the server may have done what was asked."""

    done: bool = False


@dataclass(frozen=True)
class Slow:
    """The answer does not come."""


Trouble = Fails | Cut | Slow
Answer = tuple[int, Any]


class RegistryServer:
    """Prompts with their versions; its troubles come first, one for each request of a method."""

    def __init__(self) -> None:
        self.url = ""
        self.prompts: dict[str, list[dict[str, Any]]] = {}
        self.requests: list[tuple[str, str]] = []
        self.bodies: list[Any] = []
        self.troubles: dict[str, list[Trouble]] = {"GET": [], "POST": []}
        self.closed = threading.Event()

    def fail(self, method: str, *troubles: Trouble) -> None:
        self.troubles[method] += troubles

    def allowed(self, headers: Any) -> bool:
        raise NotImplementedError

    def get(self, path: list[str], query: dict[str, str]) -> Answer:
        raise NotImplementedError

    def post(self, path: list[str], body: Any) -> Answer:
        raise NotImplementedError

    def says(self, name: str) -> str:
        """Give what is in use there, without the registry's code."""
        raise NotImplementedError

    def edit(self, name: str, text: str) -> None:
        """Do what a human does on the registry's page."""
        raise NotImplementedError


class LangfuseServer(RegistryServer):
    """GET and POST /api/public/v2/prompts, GET /api/public/v2/prompts/{name}."""

    def allowed(self, headers: Any) -> bool:
        return bool(headers.get("Authorization") == f"Basic {BASIC}")

    def get(self, path: list[str], query: dict[str, str]) -> Answer:
        if path == ["api", "public", "v2", "prompts"]:
            return 200, self._page(int(query.get("page", "1")), int(query.get("limit", "10")))
        label = query.get("label", "production")
        found = next((one for one in self.prompts.get(path[-1], []) if label in one["labels"]), None)
        words = f"Prompt not found: '{path[-1]}' with label '{label}'"
        return (200, found) if found else (404, {"message": words, "error": "LangfuseNotFoundError"})

    def post(self, path: list[str], body: Any) -> Answer:
        versions = self.prompts.setdefault(body["name"], [])
        if versions and versions[-1]["type"] != body["type"]:
            return 400, {
                "message": "Previous versions have different prompt type. Create a new prompt with a new name."
            }
        for label in [*body.get("labels", []), "latest"]:
            for one in versions:
                one["labels"] = [known for known in one["labels"] if known != label]
        about = {"version": len(versions) + 1, "labels": [*body.get("labels", []), "latest"], "resolutionGraph": None}
        versions.append({"config": {}, "tags": [], **body, **about})
        return 201, versions[-1]

    def says(self, name: str) -> str:
        said = next(one["prompt"] for one in self.prompts[name] if "production" in one["labels"])
        return str(said if isinstance(said, str) else said[0]["content"])

    def edit(self, name: str, text: str) -> None:
        self.post([], {"name": name, "type": "text", "prompt": text, "labels": ["production"]})

    def _page(self, page: int, limit: int) -> dict[str, Any]:
        names = sorted(self.prompts)
        rows = [{"name": name, "versions": [one["version"] for one in self.prompts[name]]} for name in names]
        pages = -(-len(rows) // limit)
        shown = rows[(page - 1) * limit : page * limit]
        return {"data": shown, "meta": {"page": page, "limit": limit, "totalItems": len(rows), "totalPages": pages}}


class PromptlayerServer(RegistryServer):
    """GET /prompt-templates, GET /prompt-templates/{identifier}, POST /rest/prompt-templates."""

    per_page = 30

    def allowed(self, headers: Any) -> bool:
        return bool(headers.get("X-API-KEY") == KEY)

    def get(self, path: list[str], query: dict[str, str]) -> Answer:
        if path == ["prompt-templates"]:
            return 200, self._page(int(query.get("page", "1")), query.get("name", ""))
        versions, label = self.prompts.get(path[-1], []), query.get("label")
        found = [one for one in versions if label in (None, *one["release_labels"])]
        return (200, found[-1]) if found else (404, {"success": False, "message": "Prompt template not found"})

    def post(self, path: list[str], body: Any) -> Answer:
        name, version = body["prompt_template"]["prompt_name"], body["prompt_version"]
        if len(version.get("commit_message") or "") > 72:
            return 422, {"detail": [{"loc": ["commit_message"], "msg": "at most 72 characters", "type": "value_error"}]}
        versions, labels = self.prompts.setdefault(name, []), body.get("release_labels") or []
        for one in versions:
            one["release_labels"] = [label for label in one["release_labels"] if label not in labels]
        about = {"success": True, "id": 17, "prompt_name": name, "version": len(versions) + 1, "snippets": []}
        kept = {"metadata": None, "tags": body["prompt_template"].get("tags", []), "release_labels": labels}
        versions.append({**kept, **version, **about})
        return 201, {**versions[-1], "version_number": len(versions), "prompt_version_id": 100 + len(versions)}

    def says(self, name: str) -> str:
        template = self.prompts[name][-1]["prompt_template"]
        holder = template["messages"][0] if template["type"] == "chat" else template
        return str(holder["content"][0]["text"])

    def edit(self, name: str, text: str) -> None:
        template = {"type": "completion", "content": [{"type": "text", "text": text}], "template_format": "jinja2"}
        self.post([], {"prompt_template": {"prompt_name": name}, "prompt_version": {"prompt_template": template}})

    def _page(self, page: int, name: str) -> dict[str, Any]:
        found = [one for one in sorted(self.prompts) if name.lower() in one.lower()]
        shown = found[(page - 1) * self.per_page : page * self.per_page]
        more = page * self.per_page < len(found)
        return {"items": [{"prompt_name": one} for one in shown], "has_next": more, "page": page, "total": len(found)}


@contextmanager
def serving(server: RegistryServer) -> Iterator[RegistryServer]:
    """Serve a registry until the block ends."""

    class Registry(Handler):
        def get(self) -> None:
            self._answer(lambda path, query: server.get(path, query))

        def post(self) -> None:
            body = json.loads(self.body())
            server.bodies.append(body)
            self._answer(lambda path, query: server.post(path, body))

        def _answer(self, do: Callable[[list[str], dict[str, str]], Answer]) -> None:
            parts = urlsplit(self.path)
            path = [unquote(part) for part in parts.path.strip("/").split("/")]
            server.requests.append((self.command, self.path))
            trouble = server.troubles[self.command].pop(0) if server.troubles[self.command] else None
            if trouble is None and not server.allowed(self.headers):
                return self.send_json(401, {"message": f"Invalid credentials: {dict(self.headers)}"})
            if trouble is None or getattr(trouble, "done", False):
                status, answer = do(path, dict(parse_qsl(parts.query)))
            match trouble:
                case None:
                    self.send_json(status, answer)
                case Fails():
                    self.send(trouble.status, "application/json", trouble.body, **trouble.headers)
                case Cut():
                    self.send_response(200)
                    self.send_header("Content-Length", "1000")
                    self.end_headers()
                    self.wfile.write(b'{"name": "wor')
                case Slow():
                    server.closed.wait(30)
            return None

    with on_loopback(Registry, server.closed) as url:
        server.url = url
        yield server
