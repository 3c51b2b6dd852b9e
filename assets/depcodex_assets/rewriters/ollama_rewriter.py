"""The rewriter for production: a model on an Ollama server of this machine.

Here: asking the server, bounded concurrency, waiting and trying again. Not here: the prompt
(depcodex_assets.rewriters.prompt), the client and its errors (depcodex.ollama_client), the rules (output_rules).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from depcodex.errors import ModelError, ModelUnavailableError
from depcodex.ollama_client import OllamaConnection, chat_options
from depcodex.settings import Settings
from depcodex_assets.rewriters.prompt import PROMPT_VERSION, SCHEMA, messages, parsed
from depcodex_assets.texts import Text

# Room for the instructions, 600 tokens of documentation and the answer.
CONTEXT_TOKENS = 2048
MAX_ANSWER_TOKENS = 120
# Between tries, in seconds; a server that restarts with its model is back within the sum.
BACKOFF_SECONDS = (0.5, 2.0, 6.0)
KEEP_ALIVE = "10m"

_Answer = TypeVar("_Answer")


class OllamaRewriter:
    """Implements ``Rewriter`` with ``/api/chat``: structured output, temperature 0, a fixed seed.

    The model's reasoning is switched off where it has one, discarded where it comes all the same, and never parsed.
    """

    prompt_version = PROMPT_VERSION
    can_retry = True

    def __init__(
        self,
        model: str,
        settings: Settings,
        *,
        concurrency_count: int = 1,
        num_thread: int | None = None,
        backoff_seconds: Sequence[float] = BACKOFF_SECONDS,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Asks the server for the model's digest and what it can do.

        Args:
            model: as `ollama list` names it.
            settings: address, time-out, whether another machine may be used.
            concurrency_count: texts asked for at once; above 1 pays only where the server runs several slots.
            num_thread: the server's threads a call; unset leaves it to the server, 1 suits a busy machine.
            backoff_seconds: waits before the second, third … try.
            sleep: waits; given by tests.

        Raises:
            RemoteModelRefusedError: the address is not loopback.
            ModelUnavailableError: the server does not answer.
            ModelError: the model is missing, or only embeds.
        """
        self.name = f"ollama:{model}"
        self._model = model
        self._connection = OllamaConnection(settings)
        self._concurrency_count = max(1, concurrency_count)
        self._backoff_seconds = tuple(backoff_seconds)
        self._sleep = sleep
        self._options = chat_options(
            num_thread=num_thread, temperature=0.0, seed=1, num_ctx=CONTEXT_TOKENS, num_predict=MAX_ANSWER_TOKENS
        )
        self.model_digest = self._patiently(lambda: self._connection.digest(model))
        facts = self._patiently(lambda: self._connection.facts(model))
        capabilities = facts.capabilities
        self._takes_system_message = facts.takes_system_message
        if capabilities and "completion" not in capabilities:
            raise ModelError(
                f"{model}: the wrong kind of model, expected one that writes text, got {sorted(capabilities)}"
            )
        # Asked of a model that cannot think, `think` is a refusal (recorded).
        self._thinking = {"think": False} if "thinking" in capabilities else {}

    def rewrite(self, texts: Sequence[Text], refused: Sequence[str | None]) -> Sequence[str | None]:
        """See ``Rewriter``; waits and tries again before it gives up on the server."""
        pairs = list(zip(texts, refused, strict=True))
        if self._concurrency_count == 1 or len(pairs) < 2:
            return [self._rewritten(text, rule) for text, rule in pairs]
        with ThreadPoolExecutor(self._concurrency_count, thread_name_prefix="rewriter") as pool:
            futures = [pool.submit(self._rewritten, text, rule) for text, rule in pairs]
            try:
                return [each.result() for each in futures]
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def close(self) -> None:
        """Gives the connections back."""
        self._connection.close()

    def _rewritten(self, text: Text, rule: str | None) -> str | None:
        answer = self._patiently(
            lambda: self._connection.chat(
                self._model,
                messages=messages(text, rule, takes_system_message=self._takes_system_message),
                format=SCHEMA,
                options=self._options,
                keep_alive=KEEP_ALIVE,
                **self._thinking,
            )
        )
        return parsed(answer.message.content or "")

    def _patiently(self, call: Callable[[], _Answer]) -> _Answer:
        """``call``'s answer; a transient error is tried again after each wait, the last one is raised."""
        for wait in self._backoff_seconds:
            try:
                return call()
            except ModelUnavailableError:
                self._sleep(wait)
        return call()
