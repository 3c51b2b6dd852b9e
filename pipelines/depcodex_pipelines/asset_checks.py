"""What must hold of published entries, checked after each publish and shown on the asset's page.

Here: asset checks. Not here: the rules that make entries (depcodex_assets.quarantine): a check looks at the public
store alone, as a reader would.
"""

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence

import dagster as dg
import pyarrow as pa
import pyarrow.compute as pc

from depcodex import schemas
from depcodex.coordinates import Coordinate
from depcodex.schemas import SETTLED_STATES, State
from depcodex.tables import PublicTables
from depcodex_pipelines.bench import TABLE_OF_STAGE, StageBench
from depcodex_pipelines.metadata import count_table, state_table
from depcodex_pipelines.partitions import coordinate_partitions, coordinates_of

_ENTRIES = TABLE_OF_STAGE["publish"]
# The agreement's section 4.5.
_SENTENCE_WORDS = 40
# Above this share of documented entries an operator looks: the gate may be too strict, or a library hostile.
WITHHELD_SHARE = 0.2


def surplus_columns(columns: Sequence[str]) -> list[str]:
    """The columns that the contract of ``entries`` does not know.

    Example:
        >>> surplus_columns(["id", "doc"])
        ['doc']
    """
    known = schemas.entries_schema(1).names
    return [name for name in columns if name not in known]


def broken_entries(entries: pa.Table) -> dict[str, int]:
    """How many entries break which promise; empty when all hold.

    Args:
        entries: the columns id, sentence, is_documented and is_withheld; any order.
    """
    sentence = entries.column("sentence")
    has_sentence = pc.is_valid(sentence)
    words = pc.fill_null(pc.list_value_length(pc.utf8_split_whitespace(sentence)), 0)
    ids = entries.column("id")
    counts = {
        "an id occurs twice": entries.num_rows - pc.count_distinct(ids).as_py(),
        "withheld, yet with a sentence": _count(pc.and_(entries.column("is_withheld"), has_sentence)),
        "undocumented, yet with a sentence": _count(pc.and_(pc.invert(entries.column("is_documented")), has_sentence)),
        "a sentence of more than 40 words": _count(pc.greater(words, _SENTENCE_WORDS)),
        "a sentence of several lines": _count(pc.fill_null(pc.match_substring(sentence, "\n"), False)),
    }
    return {problem: count for problem, count in counts.items() if count}


def _count(mask: pa.ChunkedArray) -> int:
    return int(pc.sum(mask).as_py() or 0)


def unsettled_states(coordinates: Sequence[Coordinate], states: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    """purl → (state, reason) of the coordinates that publish left unsettled.

    Example:
        >>> unsettled_states([Coordinate.parse("pkg:pypi/a@1")], {})
        {'pkg:pypi/a@1': ('pending', 'never published')}
    """
    left = {}
    for each in coordinates:
        state = states.get(each.purl, State.PENDING)
        if state not in SETTLED_STATES:
            left[each.purl] = (str(state), "never published" if state == State.PENDING else "see the run's log")
    return left


def _coordinates(context: dg.AssetCheckExecutionContext) -> list[Coordinate]:
    return coordinates_of(context.op_execution_context.partition_keys)


def _entries_of(bench: StageBench, coordinates: Sequence[Coordinate], columns: Sequence[str]) -> pa.Table:
    ids = [each.coordinate_id for each in coordinates]
    return PublicTables.of(bench.settings).read(_ENTRIES, coordinate_ids=ids, columns=columns)


def holds_nothing_raw(
    context: dg.AssetCheckExecutionContext, bench: dg.ResourceParam[StageBench]
) -> dg.AssetCheckResult:
    """The public table has no column beyond its contract, each id is there once, and no sentence breaks its form."""
    handle = PublicTables.of(bench.settings).handle(_ENTRIES)
    surplus = [] if handle is None else surplus_columns(handle.schema.names)
    entries = _entries_of(bench, _coordinates(context), ["id", "sentence", "is_documented", "is_withheld"])
    problems = broken_entries(entries) | {f"column {name} is not in the contract": entries.num_rows for name in surplus}
    return dg.AssetCheckResult(
        passed=not problems,
        metadata={"entries": entries.num_rows, "problems": count_table("problem", "entries", problems)},
    )


def coordinates_are_settled(
    context: dg.AssetCheckExecutionContext, bench: dg.ResourceParam[StageBench]
) -> dg.AssetCheckResult:
    """Every coordinate of the run is indexed, has no source, or is excluded."""
    coordinates = _coordinates(context)
    left = unsettled_states(coordinates, bench.states())
    return dg.AssetCheckResult(
        passed=not left,
        metadata={"coordinates": len(coordinates), "unsettled": state_table(left)},
    )


def withheld_share_is_low(
    context: dg.AssetCheckExecutionContext, bench: dg.ResourceParam[StageBench]
) -> dg.AssetCheckResult:
    """At most a fifth of the run's documented entries are withheld; above it somebody should look at the reasons."""
    entries = _entries_of(bench, _coordinates(context), ["is_documented", "is_withheld", "withheld_rule"])
    documented = _count(entries.column("is_documented"))
    withheld = _count(entries.column("is_withheld"))
    rules = Counter(entries.column("withheld_rule").drop_null().to_pylist())
    return dg.AssetCheckResult(
        passed=withheld <= WITHHELD_SHARE * documented,
        severity=dg.AssetCheckSeverity.WARN,
        metadata={
            "documented": documented,
            "withheld": withheld,
            "share": round(withheld / documented, 4) if documented else 0.0,
            "reasons": count_table("reason", "entries", rules),
        },
    )


def _checks() -> list[dg.AssetChecksDefinition]:
    with warnings.catch_warnings():
        # Partitions on a check are in preview; without them a check could not know which coordinates a run made.
        warnings.simplefilter("ignore", dg.PreviewWarning)
        return [
            dg.asset_check(
                asset=_ENTRIES, partitions_def=coordinate_partitions, description=(check.__doc__ or "").strip()
            )(check)
            for check in (holds_nothing_raw, coordinates_are_settled, withheld_share_is_low)
        ]


entry_checks: Sequence[dg.AssetChecksDefinition] = _checks()
