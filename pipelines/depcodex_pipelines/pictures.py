"""Pictures for the UI, as Markdown with the image inside.

Here: the histogram of gate scores. Not here: which numbers are shown where (depcodex_pipelines.metadata).
"""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence

_BIN_COUNT = 25
_BAR_COLOUR = "#4f43dd"


def score_histogram(scores: Sequence[float]) -> str:
    """A Markdown image: how many texts the gate gave which score (0 to 1), counts on a logarithmic scale.

    Args:
        scores: any number of them; NaN is not allowed.

    Returns:
        ``![…](data:image/png;base64,…)``, some 10 kB.
    """
    # The object-oriented API: pyplot keeps figures alive and picks a display.
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import StrMethodFormatter

    figure = Figure(figsize=(6.4, 2.6), dpi=96, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.hist(list(scores), bins=_BIN_COUNT, range=(0.0, 1.0), color=_BAR_COLOUR, edgecolor="white", linewidth=0.6)
    # Nearly all texts are harmless: on a linear scale the few that matter would not be seen.
    axes.set_yscale("symlog", linthresh=1)
    axes.set_ylim(bottom=0)
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.set_xlim(0, 1)
    axes.set_xlabel("gate score: 0 harmless, 1 suspect")
    axes.set_ylabel("texts")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.set_title(f"{len(scores):,} texts", loc="left", fontsize=10)
    picture = io.BytesIO()
    figure.savefig(picture, format="png")
    return f"![gate scores](data:image/png;base64,{base64.b64encode(picture.getvalue()).decode()})"
