"""The part of the façade that lets a language model read names and triples: for PPR-LLM.

Every passage is a call of its own, and its reading is on disk before it counts as done. A run may
therefore end at any moment (stopped, killed, budget spent, endpoint gone); the next one asks only for
what is missing. Nothing is asked twice for the same text, prompt and model.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock

from aethel_core.config import Settings
from aethel_core.entities.reading import Reading
from aethel_core.errors import ModelUnavailable, WorkspaceError
from aethel_core.extraction import Extractor, made_by
from aethel_core.llm import BadAnswer, Budget, BudgetSpent, ChatModel, Endpoint, Spent
from aethel_core.store import Store, Unread

OnProgress = Callable[[int, int], None]
Cancelled = Callable[[], bool]
STOPPED = "Stopped on request."


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many of the passages a model has read, whichever model it was."""

    read: int
    passages: int

    @property
    def whole(self) -> bool:
        return self.read == self.passages

    def __str__(self) -> str:
        return f"{self.read:,} of {self.passages:,} passages"


@dataclass(frozen=True, slots=True)
class ExtractionPlan:
    """What reading the rest takes at most: ``texts`` different texts are asked for, one call each, if
    none has to be repaired. ``budget`` is what the settings let a run take."""

    model: str
    texts: int
    tokens_in: int
    tokens_out: int
    cost: float
    budget: int
    coverage: Coverage

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out


@dataclass(frozen=True, slots=True)
class ExtractionReport:
    """``read`` texts were read, ``unusable`` answered in a form that could not be used, ``left`` not
    asked; ``ended`` says why it ended before all were. ``names`` and ``triples`` stand in the passages;
    ``dropped`` names did not."""

    read: int
    unusable: int
    left: int
    names: int
    triples: int
    dropped: int
    spent: Spent
    coverage: Coverage
    ended: str = ""

    @property
    def complete(self) -> bool:
        return not self.left and not self.unusable


@dataclass
class _Tally:
    """A run as it goes on. ``width`` is how many calls may be out at once."""

    total: int
    width: int
    read: int = 0
    unusable: int = 0
    names: int = 0
    triples: int = 0
    dropped: int = 0
    ended: str = ""

    def count(self, reading: Reading) -> None:
        self.read += 1
        self.names += len(reading.entities)
        self.triples += len(reading.triples)
        self.dropped += reading.dropped


@dataclass
class _Loaded:
    stamp: tuple[int, int] = (-1, 0)
    readings: Mapping[str, Reading] = field(default_factory=dict)


class Extraction:
    """Reached as ``workspace.extraction``. Safe to share between threads."""

    def __init__(self, store: Store, settings: Callable[[], Settings]) -> None:
        self._store, self._settings = store, settings
        self._loaded, self._lock = _Loaded(), Lock()

    @property
    def model(self) -> str:
        """The model that would read, "" where the settings name none."""
        return self._settings().llm_model

    def version(self) -> int:
        """Moves on whenever `readings` does."""
        self.readings()
        return self._loaded.stamp[1]

    def readings(self) -> Mapping[str, Reading]:
        """What models read, by passage id. While one is reading, what there was before: the graph is
        made anew when it has ended, not with every passage."""
        with self._lock:
            stamp = (self._store.documents.revision(), self._store.readings.stamp())
            changed = stamp[0] != self._loaded.stamp[0]
            if changed or (stamp != self._loaded.stamp and self._store.reading_turn().free()):
                kept = self._store.readings.by_passage() if stamp[1] else {}
                made = {passage: Reading.from_json(data) for passage, data in kept.items()}
                self._loaded = _Loaded(stamp, made)
            return self._loaded.readings

    def coverage(self) -> Coverage:
        """As far as it has come now, also while a model is reading."""
        read = len(self._store.readings.by_passage()) if self._store.readings.stamp() else 0
        return Coverage(read, self._store.documents.counts().passages)

    def in_use(self) -> Coverage:
        """What PPR-LLM covers as it answers now."""
        return Coverage(len(self.readings()), self._store.documents.counts().passages)

    def plan(self) -> ExtractionPlan | None:
        """What is left to read with the model of the settings; None where they name none."""
        settings = self._settings()
        endpoint = Endpoint.of(settings)
        if endpoint is None:
            return None
        unread = self._store.readings.unread(made_by(endpoint.model))
        estimate = Extractor(ChatModel(endpoint)).estimate([each.text for each in unread])
        return ExtractionPlan(
            endpoint.name,
            len(unread),
            estimate.tokens_in,
            estimate.tokens_out,
            estimate.cost,
            settings.llm_budget,
            self.coverage(),
        )

    def run(
        self,
        budget: int,
        *,
        on_progress: OnProgress = lambda done, total: None,
        cancelled: Cancelled = lambda: False,
    ) -> ExtractionReport:
        """Let the model read what it has not read yet. What is finished is kept, however it ends.

        :param budget: the most tokens that the run may take.
        :raises ModelUnavailable: the settings name no model.
        :raises WorkspaceError: a model is reading already, or nothing can be written.
        """
        endpoint = Endpoint.of(self._settings())
        if endpoint is None:
            raise ModelUnavailable("No language model is set. Name one in the settings.")
        # Answers are kept in the workspace, not in the model's own cache: they go with their document.
        model = ChatModel(endpoint, budget=Budget(budget))
        mark = made_by(endpoint.model)
        with self._turn():
            self._store.readings.share(mark)
            unread = self._store.readings.unread(mark)
            tally = _Tally(len(unread), max(1, endpoint.concurrency))
            self._read(unread, Extractor(model), mark, tally, on_progress, cancelled)
        return ExtractionReport(
            tally.read,
            tally.unusable,
            tally.total - tally.read - tally.unusable,
            tally.names,
            tally.triples,
            tally.dropped,
            model.spent,
            self.coverage(),
            tally.ended,
        )

    def _read(
        self,
        unread: tuple[Unread, ...],
        extractor: Extractor,
        mark: str,
        tally: _Tally,
        on_progress: OnProgress,
        cancelled: Cancelled,
    ) -> None:
        waiting, flying = deque(unread), dict[Future[Reading], Unread]()
        with ThreadPoolExecutor(max_workers=tally.width, thread_name_prefix="aethel-read") as pool:
            while waiting or flying:
                if waiting and not tally.ended and cancelled():
                    tally.ended = STOPPED
                while waiting and len(flying) < tally.width and not tally.ended:
                    asked = waiting.popleft()
                    flying[pool.submit(extractor.read, asked.text)] = asked
                if not flying:
                    return
                finished, _ = wait(flying, timeout=0.5, return_when=FIRST_COMPLETED)
                back = _settle({future: flying.pop(future) for future in finished}, tally, bool(flying))
                self._store.readings.keep(back.kept, mark)
                waiting.extendleft(back.again)
                on_progress(tally.read + tally.unusable, tally.total)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        turn = self._store.reading_turn()
        if not turn.take():
            raise WorkspaceError(
                "A model is reading this workspace already. Wait for that to end, or stop it."
            )
        try:
            yield
        finally:
            turn.release()


@dataclass
class _Back:
    """What came back: readings to keep, and texts to ask for again."""

    kept: list[tuple[Unread, str]] = field(default_factory=list)
    again: list[Unread] = field(default_factory=list)


def _settle(finished: dict[Future[Reading], Unread], tally: _Tally, others: bool) -> _Back:
    """:param others: whether calls are still out."""
    back = _Back()
    for future, asked in finished.items():
        try:
            reading = future.result()
        except BadAnswer:
            tally.unusable += 1
        except BudgetSpent as error:
            # Each call sets aside more than it takes in the end. So what is refused beside others is
            # asked for once more alone; only then the budget is spent.
            if tally.width == 1 and not others and len(finished) == 1:
                tally.ended = str(error)
            tally.width = 1
            back.again.append(asked)
        except ModelUnavailable as error:
            tally.ended = tally.ended or str(error)
            back.again.append(asked)
        else:
            tally.count(reading)
            back.kept.append((asked, reading.to_json()))
    return back


def most(plan: ExtractionPlan) -> str:
    """What reading the rest takes at most, as a sentence."""
    passages = "1 passage" if plan.texts == 1 else f"{plan.texts:,} different passages"
    calls = "one call" if plan.texts == 1 else "one call each"
    cost = f", cost {money(plan.cost)} at the prices set" if plan.cost else ""
    return (
        f"{passages}, {calls}; at most {plan.tokens:,} tokens ({plan.tokens_in:,} in, "
        f"{plan.tokens_out:,} out){cost}. Most answers are shorter."
    )


def money(cost: float) -> str:
    """In the currency of the prices; small amounts with the digits that say something."""
    return f"{cost:,.2f}" if cost >= 0.1 else f"{cost:.2g}"


def in_words(report: ExtractionReport) -> list[str]:
    """What came of a run, a sentence each."""
    spent = report.spent
    cost = f", cost {money(spent.cost)}" if spent.cost else ""
    lines = [
        f"{_passages(report.read)} read: {report.names:,} names and {report.triples:,} facts, in "
        f"{spent.calls:,} calls and {spent.tokens:,} tokens{cost}.",
        f"PPR-LLM covers {report.coverage}.",
    ]
    if report.dropped:
        lines.append(f"{report.dropped:,} names of the model were dropped: their passage does not hold them.")
    if report.unusable:
        lines.append(f"No usable answer for {_passages(report.unusable)}, also after a repair.")
    if report.ended:
        lines.append(f"{report.ended} What was read is kept; {_passages(report.left)} left.")
    return lines


def _passages(number: int) -> str:
    return "1 passage" if number == 1 else f"{number:,} passages"
