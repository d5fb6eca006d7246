"""A training run that can be interrupted: modules, one AdamW, and their state on disk."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from vlmbias.whole_files import replacing

CHECKPOINT_EVERY = 50  # steps
RAMP = 20  # steps of linear warm-up of the rate
Progress = Callable[[int, int, float], None]  # called with (step, total, loss)


class Run:
    """Modules in training, by the names under which their weights are kept, and groups of
    parameters with a rate of their own: AdamW, linear warm-up of the rate, then a cosine that ends
    at a tenth."""

    def __init__(
        self,
        modules: Mapping[str, Any],
        groups: Sequence[list[Any]],
        *,
        steps: int,
        rate: float,
        weight_decay: float,
        clip_norm: float,
    ):
        import torch

        self.modules, self.steps, self.rate, self.clip_norm = dict(modules), steps, rate, clip_norm
        self.optimiser = torch.optim.AdamW(
            [{"params": group} for group in groups],
            lr=rate,
            betas=(0.9, 0.98),
            weight_decay=weight_decay,
        )

    def learn(
        self,
        loss: Callable[[int], Any],
        *,
        partial: Path | None,
        identity: str,
        progress: Progress | None = None,
        shares: Callable[[int], Sequence[float]] = lambda step: [1.0],
    ) -> None:
        """All steps, or those that an interrupted run left over: `partial` holds its state every 50
        steps, and `identity` says whose it is. What the loss of a step draws, it draws from the
        step's number; `shares` are the rates of the groups in a step. Whoever keeps what was learnt
        removes `partial`."""
        for step in range(self.restore(partial, identity), self.steps):
            now = self.update(loss(step), step, shares(step))
            self.keep(partial, identity, step + 1)
            if progress:
                progress(step + 1, self.steps, now)

    def update(self, loss: Any, step: int, shares: Sequence[float]) -> float:
        """One step down the gradient of `loss`; group k learns at `shares[k]` of the rate. Returns
        the loss."""
        import torch

        now = (
            self.rate
            * min(1.0, (step + 1) / RAMP)
            * (0.1 + 0.45 * (1 + math.cos(math.pi * step / self.steps)))
        )
        for group, share in zip(self.optimiser.param_groups, shares, strict=True):
            group["lr"] = now * share
        self.optimiser.zero_grad()
        loss.backward()
        moved = [
            parameter for group in self.optimiser.param_groups for parameter in group["params"]
        ]
        torch.nn.utils.clip_grad_norm_(moved, self.clip_norm)
        self.optimiser.step()
        return float(loss.detach())

    def keep(self, file: Path | None, identity: str, done: int) -> None:
        """Every fiftieth step, but not after the last: write all state as safetensors, whole or not
        at all."""
        if file is None or done % CHECKPOINT_EVERY or done >= self.steps:
            return
        import torch
        from safetensors.torch import save_file

        state = {
            f"{name}/{key}": value
            for name, module in self.modules.items()
            for key, value in module.state_dict().items()
        }
        state["random"] = torch.get_rng_state()  # of what an architecture drops at random
        for k, entry in self.optimiser.state_dict()["state"].items():
            state |= {f"optimiser/{k}/{key}": value for key, value in entry.items()}
        with replacing(file) as draft:
            save_file(
                {name: value.contiguous() for name, value in state.items()},
                draft,
                metadata={"run": identity, "step": str(done)},
            )

    def restore(self, file: Path | None, identity: str) -> int:
        """The steps already done by an interrupted run of the same identity, whose state is taken
        over; else 0."""
        if file is None or not file.exists():
            return 0
        import torch
        from safetensors import safe_open

        with safe_open(file, framework="pt") as stored:
            about = stored.metadata() or {}
            if about.get("run") != identity or "random" not in stored.keys():  # noqa: SIM118 (not a dict)
                return 0
            tensors = {name: stored.get_tensor(name) for name in stored.keys()}  # noqa: SIM118 (not a dict)
        for name, module in self.modules.items():
            module.load_state_dict(
                {
                    key.removeprefix(f"{name}/"): value
                    for key, value in tensors.items()
                    if key.startswith(f"{name}/")
                }
            )
        state: dict[int, dict] = {}
        for key, value in tensors.items():
            if key.startswith("optimiser/"):
                _, k, what = key.split("/", 2)
                state.setdefault(int(k), {})[what] = value
        torch.set_rng_state(tensors["random"])
        self.optimiser.load_state_dict({**self.optimiser.state_dict(), "state": state})
        return int(about["step"])


def remembered(file: Path, learn: Callable[[Path], Mapping[str, Any]]) -> dict[str, Any]:
    """The weights in a file; where there is none, they are learnt, by a run whose state has a place
    beside it, and kept. Processes that do so at once get the same."""
    from safetensors.torch import load_file, save_file

    if not file.exists():
        partial = file.with_suffix(".partial")
        weights = {name: value.contiguous() for name, value in learn(partial).items()}
        with replacing(file) as draft:
            save_file(weights, draft)
        partial.unlink(missing_ok=True)
    return load_file(file)
