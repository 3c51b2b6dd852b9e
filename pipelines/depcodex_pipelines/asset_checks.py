"""What must hold of published entries, checked after each publish and shown on the asset's page.

Here: asset checks. Not here: the rules that make entries (depcodex_assets.quarantine): a check looks at the public
store alone, as a reader would.
"""

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
from depcodex_pipelines.partitions import PARTITIONS_NAME, coordinates_of

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


def run_coordinates(context: dg.AssetCheckExecutionContext, bench: StageBench) -> list[Coordinate]:
    """The coordinates of the run that the check belongs to; all published ones where it runs by itself.

    The checks have no partitions of their own: of a run over many, Dagster's UI shows a partitioned check as skipped
    (dagster 1.13.27).
    """
    run = context.op_execution_context.run
    first = run.tags.get("dagster/asset_partition_range_start") or run.tags.get("dagster/partition")
    last = run.tags.get("dagster/asset_partition_range_end") or first
    if first is None or last is None:
        return coordinates_of(bench.states())
    # A range means the keys between its ends in the order in which they were added.
    keys = list(context.op_execution_context.instance.get_dynamic_partitions(PARTITIONS_NAME))
    return coordinates_of(keys[keys.index(first) : keys.index(last) + 1])


def _entries_of(bench: StageBench, coordinates: Sequence[Coordinate], columns: Sequence[str]) -> pa.Table:
    ids = [each.coordinate_id for each in coordinates]
    return PublicTables.of(bench.settings).read(_ENTRIES, coordinate_ids=ids, columns=columns)


def holds_nothing_raw(
    context: dg.AssetCheckExecutionContext, bench: dg.ResourceParam[StageBench]
) -> dg.AssetCheckResult:
    """The public table has no column beyond its contract, each id is there once, and no sentence breaks its form."""
    handle = PublicTables.of(bench.settings).handle(_ENTRIES)
    surplus = [] if handle is None else surplus_columns(handle.schema.names)
    entries = _entries_of(bench, run_coordinates(context, bench), ["id", "sentence", "is_documented", "is_withheld"])
    problems = broken_entries(entries) | {f"column {name} is not in the contract": entries.num_rows for name in surplus}
    return dg.AssetCheckResult(
        passed=not problems,
        metadata={
            "entries": entries.num_rows,
            **({"problems": count_table("problem", "entries", problems)} if problems else {}),
        },
    )


def coordinates_are_settled(
    context: dg.AssetCheckExecutionContext, bench: dg.ResourceParam[StageBench]
) -> dg.AssetCheckResult:
    """Every coordinate of the run is indexed, has no source, or is excluded."""
    coordinates = run_coordinates(context, bench)
    left = unsettled_states(coordinates, bench.states())
    return dg.AssetCheckResult(
        passed=not left,
        metadata={"coordinates": len(coordinates), **({"unsettled": state_table(left)} if left else {})},
    )


def withheld_share_is_low(
    context: dg.AssetCheckExecutionContext, bench: dg.ResourceParam[StageBench]
) -> dg.AssetCheckResult:
    """At most a fifth of the run's documented entries are withheld; above it somebody should look at the reasons."""
    entries = _entries_of(bench, run_coordinates(context, bench), ["is_documented", "is_withheld", "withheld_rule"])
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
            **({"reasons": count_table("reason", "entries", rules)} if rules else {}),
        },
    )


entry_checks: Sequence[dg.AssetChecksDefinition] = [
    dg.asset_check(asset=_ENTRIES, description=(check.__doc__ or "").strip())(check)
    for check in (holds_nothing_raw, coordinates_are_settled, withheld_share_is_low)
]
