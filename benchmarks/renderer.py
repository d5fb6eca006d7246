"""How fast the Greenhouse paints: pictures per second of user CPU, on one thread.

Run with `OMP_NUM_THREADS=1 python benchmarks/renderer.py`. Times are user CPU, so that other work
on the
machine disturbs them little; batched painting is compared with painting one face at a time in the
same run.
"""

from __future__ import annotations

import resource

import numpy as np

from greenhouse.world import faces, grid, icons


def user_seconds(work) -> float:
    """User CPU seconds of one call."""
    start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    work()
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime - start


def per_second(render, table, size: int, repeats: int = 3) -> float:
    """Pictures per user CPU second: the median of `repeats` runs."""
    return float(
        np.median([len(table) / user_seconds(lambda: render(table, size)) for _ in range(repeats)])
    )


def main() -> None:
    clean = grid.causalface(20)
    rng = np.random.default_rng(0)
    shots = clean.assign(seed=rng.integers(0, 2**32, len(clean)), photo=np.arange(len(clean)))
    things, few_things = grid.icons(800), grid.icons()
    faces.render(clean.iloc[:96])  # warm up
    icons.render(things.iloc[::12])
    for size in (32, 64, 128):
        print(
            f"{size:4d} px  grid {per_second(faces.render, clean, size):6.0f}/s"
            f"  random photos {per_second(faces.render, shots, size):6.0f}/s"
            f"  icons {per_second(icons.render, things, size):6.0f}/s"
            f"  icons, two of each motif {per_second(icons.render, few_things, size, 7):6.0f}/s"
        )
    few = shots.iloc[:240]
    alone = per_second(
        lambda table, size: [faces.render(table.iloc[[i]], size) for i in range(len(table))],
        few,
        64,
    )
    together = per_second(faces.render, few, 64)
    print(f"batched / one at a time at 64 px: {together / alone:.1f} times")
    whole = grid.causalface()
    print(
        f"the whole grid, {len(whole)} faces at 64 px:"
        f" {user_seconds(lambda: faces.render(whole)):.1f} s user CPU"
    )


if __name__ == "__main__":
    main()
