"""How fast images become vectors, and in how much memory: `python benchmarks/embedding.py`.

ViT-B-32 with random weights on 512-pixel JPEGs that this script makes itself. Each figure is a
ratio within
this run: `vb.embed`, end to end, against the bare forward pass on pictures already in memory (same
batch), and against a loop of one picture at a time that starts again for each of three word sets.
By wall clock and by CPU time: on a busy machine only the second is steady. Then the peak memory for
200 and for 800 pictures.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image

import vlmbias as vb

MODEL, BATCH, WORD_SETS = "ViT-B-32/random", 32, 3
GOALS = {"bare": 0.9, "one_at_a_time": 4.0}  # how many times as fast as these


def write_photos(folder: Path, n: int) -> None:
    """JPEGs with the sizes of photographs: smooth shapes under fine grain."""
    rng = np.random.default_rng(0)
    for number in range(n):
        coarse = Image.fromarray(rng.integers(0, 256, (12, 12, 3), dtype=np.uint8))
        coarse = coarse.resize((512, 512), Image.Resampling.BICUBIC)
        grain = rng.normal(0, 8, (512, 512, 1))
        pixels = np.clip(np.asarray(coarse) + grain, 0, 255).astype(np.uint8)
        Image.fromarray(pixels).save(folder / f"{number:04}.jpg", quality=90)


def seconds(task: Callable[[], object]) -> tuple[float, float]:
    """Wall and CPU seconds of one call."""
    wall, cpu = time.perf_counter(), time.process_time()
    task()
    return time.perf_counter() - wall, time.process_time() - cpu


def throughput(folder: Path, n: int, repeats: int) -> list[str]:
    """Images per second of the three ways, interleaved, and their ratios; what missed its goal, by
    CPU time."""
    import torch

    encoder = vb.encoder(MODEL)
    images = vb.images("folder", root=folder)
    images = images.where(np.arange(len(images)) < n)
    inputs = encoder.normalise(
        np.stack([encoder.pixels(picture) for picture in images.decode(range(BATCH))])
    )

    def bare() -> None:
        with torch.inference_mode():
            for _ in range(n // BATCH):
                encoder._model.encode_image(inputs)

    def ours() -> None:
        vb.embed(encoder, images, store=False, batch_size=BATCH)

    def one_at_a_time() -> None:
        for _ in range(WORD_SETS):
            for row in range(n // 4):  # a quarter of the pictures; scaled below
                encoder.encode_images(encoder.preprocess(images.decode(row))[None])

    bare()
    times: dict[str, list] = {task.__name__: [] for task in (bare, ours, one_at_a_time)}
    for _ in range(repeats):
        for task, scale in ((bare, 1), (ours, 1), (one_at_a_time, 4)):
            times[task.__name__].append([scale * spent for spent in seconds(task)])
    print(
        f"{MODEL}, {encoder.device}, {torch.get_num_threads()} thread(s), {n} JPEGs of 512 px,"
        f" batch {BATCH}, median of {repeats}"
    )
    for kind, name in enumerate(("wall", "CPU")):
        speed = {
            task: n / statistics.median(spent[kind] for spent in runs)
            for task, runs in times.items()
        }
        print(
            f"  {name:4} images/s: forward pass {speed['bare']:.1f}, vb.embed {speed['ours']:.1f}, "
            f"one at a time × {WORD_SETS} {speed['one_at_a_time']:.1f}"
        )
        ratios = {
            f"vb.embed / {peer.replace('_', ' ')}": (speed["ours"] / speed[peer], goal)
            for peer, goal in GOALS.items()
        }
        for about, (ratio, goal) in ratios.items():
            print(f"       {about} {ratio:.2f} (goal {goal:g})")
    return [about for about, (ratio, goal) in ratios.items() if ratio < goal]


def memory(folder: Path, n: int) -> None:
    """Peak resident memory of a process that embeds the first n pictures."""
    images = vb.images("folder", root=folder)
    vb.embed(
        vb.encoder(MODEL), images.where(np.arange(len(images)) < n), store=False, batch_size=BATCH
    )
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--images", type=int, default=128, help="pictures per timed run, a multiple of the batch"
    )
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--memory", nargs=2, metavar=("FOLDER", "N"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.memory:
        memory(Path(options.memory[0]), int(options.memory[1]))
        return
    with tempfile.TemporaryDirectory() as name:
        write_photos(Path(name), 800)
        missed = throughput(Path(name), options.images, options.repeats)
        for n in (200, 800):
            peak = subprocess.run(
                [sys.executable, __file__, "--memory", name, str(n)],
                check=True,
                text=True,
                capture_output=True,
            ).stdout
            print(f"peak memory for {n} pictures: {peak.strip()} MiB")
    if missed:
        sys.exit(f"missed: {'; '.join(missed)}")


if __name__ == "__main__":
    main()
