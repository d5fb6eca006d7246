"""Pictures painted by a VQGAN under the guidance of a CLIP; a run that was killed goes on at its
last saved step and ends where an undisturbed one ends.

The recipe is that of the notebook that Wolfe & Caliskan (2022) released: codes of the picture,
changed by Adam (step .1) so that 32 augmented views of the decoded picture come nearer to the
prompt in CLIP's space; codes are clamped to the range of the codebook. A picture is saved before
the update of its step: the picture of step 0 is the reconstruction.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image
from torch.nn import functional as F
from tqdm.auto import tqdm

from vlmbias import kept
from vlmbias.embedding import Encoder
from vlmbias.embedding.encoders import digest_of
from vlmbias.generation import vqgan
from vlmbias.whole_files import replacing, write

STATE = "state.safetensors"


@dataclass(frozen=True)
class Recipe:
    """How a picture is painted; the defaults are the released notebook's.

    Attributes
    ----------
    prompt : what the picture shall come to show.
    size : edge that is asked for, in pixels; the picture has the next lower multiple of the pixels
        per code.
    last_step : number of the last update, counted from 0.
    every : a picture is kept of each step that this divides.
    views : augmented views of the whole picture that the guide sees at a step.
    step_size : of Adam.
    noise : a view gets Gaussian noise of a width drawn from 0 to this.
    """

    prompt: str = "an American person"
    size: int = 600
    last_step: int = 200
    every: int = 10
    views: int = 32
    step_size: float = 0.1
    noise: float = 0.1


@dataclass(frozen=True)
class Painting:
    """A finished run: `steps` `(k,)` and their `pictures` uint8 `(k, size, size, 3)`, and the
    `losses` `(last_step + 1,)`."""

    steps: np.ndarray
    pictures: np.ndarray
    losses: np.ndarray


class _Clamp(torch.autograd.Function):
    """Clamp to 0…1; gradients pass where they lead back inside."""

    @staticmethod
    def forward(ctx: Any, values: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(values)
        return values.clamp(0, 1)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> torch.Tensor:
        (values,), (gradient,) = ctx.saved_tensors, gradients
        return gradient * (gradient * (values - values.clamp(0, 1)) >= 0)


def paint(
    start: Image.Image,
    *,
    painter: Any,
    guide: Encoder,
    seed: int,
    folder: Path,
    recipe: Recipe | None = None,
) -> Painting:
    """Paint from one picture towards a prompt; a folder that holds part of the run is gone on with.

    Parameters
    ----------
    start : the picture to begin with; it is squashed to a square.
    painter : a VQGAN, from `vqgan.load`.
    guide : what the views are compared with the prompt by, from ``vb.encoder``.
    seed : of every draw; step i draws the same whether or not the run was interrupted before.
    folder : where pictures and state are kept; one run each.
    recipe : what is painted, and how; by default the released notebook's.

    Raises
    ------
    ValueError
        If the folder holds another run.
    """
    recipe = recipe or Recipe()
    folder.mkdir(parents=True, exist_ok=True)
    code, losses = _begin(start, painter, guide, recipe, seed, folder)
    optimiser = torch.optim.Adam([code], lr=recipe.step_size)
    if losses:
        _restore(optimiser, code, folder)
    least, most = (
        edge(painter.quantize.embedding.weight, dim=0).values[None, :, None, None]
        for edge in (torch.min, torch.max)
    )
    target = torch.from_numpy(guide.encode_texts([recipe.prompt])).to(code)
    steps = range(len(losses), recipe.last_step + 1)
    for step in tqdm(
        steps,
        desc=f"painting {recipe.prompt!r}",
        initial=len(losses),
        total=recipe.last_step + 1,
        delay=2,
        disable=None,
    ):
        optimiser.zero_grad()
        picture = _Clamp.apply((vqgan.decode(painter, code) + 1) / 2)
        if step % recipe.every == 0:
            _save(picture, code, optimiser, losses, step, folder)
        loss = _distance(_views(picture, guide, recipe, seed, step), guide, target)
        loss.backward()
        losses.append(float(loss.detach()))
        optimiser.step()
        with torch.no_grad():
            code.copy_(code.maximum(least).minimum(most))
    write(folder / "losses.json", json.dumps(losses))
    return read(folder)


def read(folder: Path) -> Painting:
    """A finished run from its folder."""
    if not (folder / "losses.json").is_file():
        raise FileNotFoundError(f"{str(folder)!r} holds no finished run; `paint` goes on with it")
    kept = sorted((int(path.stem), path) for path in folder.glob("[0-9]*.png"))
    pictures = np.stack([np.asarray(Image.open(path).convert("RGB")) for _, path in kept])
    return Painting(
        np.array([step for step, _ in kept]),
        pictures,
        np.array(json.loads((folder / "losses.json").read_bytes())),
    )


def _begin(
    start: Image.Image, painter: Any, guide: Encoder, recipe: Recipe, seed: int, folder: Path
) -> tuple[torch.Tensor, list[float]]:
    """The codes to begin or to go on with, and the losses so far."""
    device = next(painter.parameters()).device
    whole = vqgan.factor(painter)
    size = recipe.size // whole * whole
    pixels = np.asarray(start.convert("RGB").resize((size, size), Image.Resampling.LANCZOS))
    run = asdict(recipe) | {
        "seed": seed,
        "start": hashlib.sha256(pixels.tobytes()).hexdigest(),
        "painter": digest_of(painter),
        "guide": guide.fingerprint,
    }
    now = {"run": run, "key": kept.key(run | {"versions": kept.versions()})}
    about = folder / "run.json"
    before = json.loads(about.read_bytes()) if about.is_file() else {"run": run}
    if before.get("run") != run:
        raise ValueError(f"{str(folder)!r} holds another run; name another folder, or remove it")
    if (folder / STATE).is_file() and before == now:
        from safetensors.torch import load_file

        state = load_file(folder / STATE)
        return state["code"].to(device).requires_grad_(True), state["losses"].tolist()
    for name in (STATE, "losses.json"):  # by other versions: done again
        (folder / name).unlink(missing_ok=True)
    write(about, json.dumps(now))
    batch = torch.tensor(pixels).permute(2, 0, 1)[None].to(device).float() / 255
    with torch.no_grad():
        return vqgan.encode(painter, batch * 2 - 1).clone().requires_grad_(True), []


def _save(
    picture: torch.Tensor,
    code: torch.Tensor,
    optimiser: torch.optim.Adam,
    losses: list[float],
    step: int,
    folder: Path,
) -> None:
    """The picture of a step, then all that the step depends on: a kill between the two repeats the
    step."""
    from safetensors.torch import save_file

    pixels = (picture.detach()[0].permute(1, 2, 0).cpu().numpy() * 255).astype(
        np.uint8
    )  # cut off, as in the notebook
    with replacing(folder / f"{step}.png") as aside:
        Image.fromarray(pixels).save(aside, format="PNG")
    own = optimiser.state.get(code, {})
    state = {name: own[name].detach() for name in ("exp_avg", "exp_avg_sq", "step") if name in own}
    with replacing(folder / STATE) as aside:
        save_file(
            {
                "code": code.detach().contiguous(),
                "losses": torch.tensor(losses, dtype=torch.float64),
                **state,
            },
            aside,
        )


def _restore(optimiser: torch.optim.Adam, code: torch.Tensor, folder: Path) -> None:
    from safetensors.torch import load_file

    state = load_file(folder / STATE)
    optimiser.state[code] = {
        name: state[name].to(code.device if name != "step" else "cpu")
        for name in ("exp_avg", "exp_avg_sq", "step")
    }


def _views(
    picture: torch.Tensor, guide: Encoder, recipe: Recipe, seed: int, step: int
) -> torch.Tensor:
    """`(views, 3, s, s)`: the whole picture shrunk to the guide's size, each moved, tilted, tinted
    and covered its own way."""
    edge = (guide.image_size, guide.image_size)
    small = (F.adaptive_avg_pool2d(picture, edge) + F.adaptive_max_pool2d(picture, edge)) / 2
    with torch.random.fork_rng():
        torch.manual_seed(
            int.from_bytes(hashlib.sha256(f"{seed}|{step}".encode()).digest()[:7], "big")
        )
        views = _augmentations()(small.repeat(recipe.views, 1, 1, 1))
        width = torch.rand((recipe.views, 1, 1, 1)).to(views) * recipe.noise
        return views + width * torch.randn(views.shape).to(views)


def _augmentations() -> Any:
    """As the notebook lists them; kornia draws once per view, but covers the same part of all."""
    from kornia import augmentation as change

    return torch.nn.Sequential(
        change.RandomAffine(degrees=15, translate=(0.1, 0.1), p=0.7, padding_mode="border"),
        change.RandomPerspective(0.7, p=0.7),
        change.ColorJitter(hue=0.1, saturation=0.1, p=0.7),
        change.RandomErasing((0.1, 0.4), (0.3, 1 / 0.3), same_on_batch=True, p=0.7),
    )


def _distance(views: torch.Tensor, guide: Encoder, target: torch.Tensor) -> torch.Tensor:
    """Mean over views of 2 arcsin(‖u − v‖ / 2)², half the squared angle between the view u and the
    prompt v."""
    vectors = F.normalize(guide.embed_with_gradient(views), dim=-1)
    return ((vectors - target).norm(dim=-1) / 2).arcsin().pow(2).mul(2).mean()
