"""The audit of one drafted sentence against the passages it cites.

Every figure must be a cell or a span of a cited passage, with its value (within the rounding of
the digits written), scale, unit, sign, period and measure, or follow from such figures by
recomputation. Names, identifiers, dates, the direction of a change and what is denied must be the
source's, and enough of the sentence's words. A passage that gives instructions to language models carries
nothing. The verdict is by rules alone; a model may only lower it.
"""

from __future__ import annotations

from collections.abc import Sequence

from aethel_core.audit import wording
from aethel_core.audit.derive import Derivation, recomputed
from aethel_core.audit.figures import Written, check_figure
from aethel_core.audit.injection import instructions
from aethel_core.audit.negation import negation
from aethel_core.audit.results import FigureCheck, Match, SentenceCheck, Verdict
from aethel_core.audit.sources import Source, Sources


def check_sentence(
    text: str, passage_ids: Sequence[str], everything: Sources, derivations: Sequence[Derivation] = ()
) -> SentenceCheck:
    """:param derivations: what was computed for this sentence; each is computed again."""
    cited = tuple(dict.fromkeys(passage_ids))
    found = [everything.get(passage_id) for passage_id in cited]
    sources = [source for source in found if source]
    flags = [f"There is no passage {p}." for p, s in zip(cited, found, strict=True) if s is None]
    if not cited:
        flags.append("It cites no passage.")
    if not sources:
        return SentenceCheck(text, cited, Verdict.NOT, (), tuple(flags))
    written = Written.read(text)
    figures = _figures(written, sources, derivations)
    flags += [check.note for check in figures if not check.sound]
    matched = [check.fact for check in figures if check.match is Match.MATCHED and check.fact]
    flags += wording.names(written, sources, everything, matched)
    flags += wording.identifiers(written, sources)
    flags += wording.dates(written, sources)
    flags += wording.direction(written, figures)
    flags += wording.signs(figures)
    flags += negation(written, sources)
    flags += instructions(sources)
    share = wording.coverage(written, sources, figures)
    found_all = bool(figures) and all(check.sound for check in figures)
    if share < (wording.ENOUGH_WITH_FIGURES if found_all else wording.ENOUGH):
        flags.append(f"Only {share:.0%} of its words are in the source.")
    verdict = _verdict(figures, flags, share)
    flags += _versions(sources, everything)
    return SentenceCheck(text, cited, verdict, figures, tuple(dict.fromkeys(flags)))


def _figures(
    written: Written, sources: Sequence[Source], derivations: Sequence[Derivation]
) -> tuple[FigureCheck, ...]:
    first = [check_figure(written, number, sources) for number in range(len(written.figures))]
    return tuple(
        check if check.sound else recomputed(check.figure, written, sources, first, derivations) or check
        for check in first
    )


def _verdict(figures: Sequence[FigureCheck], flags: Sequence[str], share: float) -> Verdict:
    if not flags:
        return Verdict.SUPPORTED
    sound = [check for check in figures if check.sound]
    if (figures and not sound) or share < wording.SOME:
        return Verdict.NOT
    return Verdict.PARTLY


def _versions(sources: Sequence[Source], everything: Sources) -> list[str]:
    """Sources that were re-issued since, unless the sentence sets both versions side by side."""
    flags = []
    cited = {source.document.id for source in sources}
    for source in sources:
        newer = everything.replaced_by(source.document.id)
        if newer and newer.id not in cited:
            flags.append(f"{source.document.name} was replaced by {newer.name}.")
    return flags
