"""The recipe: everything that a training run depends on, besides its seed, as a small YAML file. A
bad recipe is refused here, at once."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import yaml
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_serializer,
    model_validator,
)

from greenhouse.world import bias, grid
from greenhouse.world.bias import DATA
from vlmbias import kept, paths
from vlmbias.whole_files import plain_yaml, read_regular

RECIPES = DATA / "recipes"
WORLD_FILES = ("bias.yaml", "grammar.yaml", "provinces.csv", "nuisance.yaml")
SEEDS = 17_000  # networks have seeds below this; pools of pictures above it are of warm starts
Share = Annotated[float, Field(strict=True, ge=0, le=1)]
Number = Annotated[float, Field(strict=True)]
Whole = Annotated[int, Field(strict=True)]
Count = Annotated[int, Field(strict=True, ge=1, le=1_000_000)]
# What a tower may be at most: some hundred times the shipped ones, and far less than what fills a
# memory.
Width = Annotated[int, Field(strict=True, ge=1, le=2048)]
DEEPEST = 64  # blocks
Depth = Annotated[int, Field(strict=True, ge=1, le=DEEPEST)]
Ratio = Annotated[float, Field(strict=True, ge=0, le=16)]
Scale = Annotated[float, Field(strict=True, ge=0, le=10)]
Dropped = Annotated[float, Field(strict=True, ge=0, le=0.95)]


def _plain(name: str) -> str:
    """A name that is a folder's, and no way to another folder."""
    if name and not re.fullmatch(r"\w[\w .+-]{0,63}", name):
        raise ValueError(
            "must be letters, digits, blanks and . + - _ alone (64 at most), as it names a folder; "
            f"got {name!r:.80}"
        )
    return name


def _seed_or_own(value: Any) -> Any:
    if value != "own" and not (type(value) is int and 0 <= value < SEEDS):
        raise ValueError(f"must be own, or a whole number from 0 to {SEEDS - 1}, got {value!r}")
    return value


def _blocks(value: Any) -> Any:
    counts = value if isinstance(value, list) and len(value) == 4 else [value]
    if not all(type(one) is int and 1 <= one <= DEEPEST for one in counts):
        raise ValueError(
            f"must be a whole number from 1 to {DEEPEST}, or four of them for a ModifiedResNet, got"
            f" {value!r}"
        )
    return value


def _of_timm(value: str) -> str:
    if not re.fullmatch(r"[a-z0-9_]+(\.[\w.-]+)?", value):
        raise ValueError(
            "must be the plain name of a model of timm, without a place to fetch it from, got"
            f" {value!r}"
        )
    return value


def _hue(value: str) -> str:
    if value not in grid.HUES:
        raise ValueError(f"unknown hue {value!r}; choose from {', '.join(grid.HUES)}")
    return value


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class _Tower(_Part):
    """Entries of open_clip's configuration of one tower; what is not given is left to it."""

    width: Width | None = None
    mlp_ratio: Ratio | None = None
    ls_init_value: Scale | None = None

    @model_serializer(mode="wrap")
    def _given(self, every: Any) -> dict[str, Any]:
        return {name: one for name, one in every(self).items() if one is not None}

    def _divides(self, name: str, whole: int | None) -> None:
        part = getattr(self, name)
        if whole and part and whole % part:
            raise ValueError(f"{name} must divide width {whole}, got {part}")


class Vision(_Tower):
    """An image tower: a ViT (`patch_size`, `layers: 3`), a ModifiedResNet (`layers: [1, 1, 1, 1]`),
    or a model of timm, always with fresh weights (`timm_model_name`)."""

    image_size: Annotated[int, Field(strict=True, ge=32, le=512)]
    patch_size: Annotated[int, Field(strict=True, ge=1, le=512)] | None = None
    layers: Annotated[int | list[int] | None, BeforeValidator(_blocks)] = None
    head_width: Width | None = None
    patch_dropout: Dropped | None = None
    pool_type: str | None = None
    timm_model_name: Annotated[str, AfterValidator(_of_timm)] | None = None
    timm_pool: str | None = None
    timm_proj: str | None = None
    timm_drop: Dropped | None = None
    timm_drop_path: Dropped | None = None

    @property
    def is_resnet(self) -> bool:
        """Whether it is a ModifiedResNet, which has batch normalisation."""
        return isinstance(self.layers, list)

    @model_validator(mode="after")
    def _fits(self) -> Vision:
        if self.is_resnet and self.image_size % 32:
            raise ValueError(
                f"image_size must be a multiple of 32 for a ModifiedResNet, got {self.image_size}"
            )
        is_vit = self.layers and not self.is_resnet and not self.timm_model_name
        if is_vit and (not self.patch_size or self.image_size % self.patch_size):
            raise ValueError(
                f"patch_size must divide image_size {self.image_size}, got {self.patch_size!r}"
            )
        self._divides("head_width", 32 * (self.width or 0) if self.is_resnet else self.width)
        return self


class Text(_Tower):
    """open_clip's text transformer."""

    heads: Annotated[int, Field(strict=True, ge=1, le=64)] | None = None
    layers: Depth | None = None

    @model_validator(mode="after")
    def _fits(self) -> Text:
        self._divides("heads", self.width)
        return self


class Architecture(_Part):
    """Two towers, as open_clip's `model_cfg` describes them, without the vocabulary, which the
    grammar gives."""

    embed_dim: Width = 64
    vision: Vision = Vision(
        image_size=64, patch_size=16, width=96, layers=3, head_width=32, mlp_ratio=2.0
    )
    text: Text = Text(width=64, heads=2, layers=2, mlp_ratio=2.0)


class Filter(_Part):
    """Which pairs are kept: by a rule about the picture, or by an earlier model's liking of picture
    and caption; if `centred`, each caption's liking is counted from its mean over the pool, so that
    pictures compete and captions do not."""

    feature: str | None = None  # a feature of bias.yaml
    above: Number | None = None  # faces below are never shown
    model: str | None = None  # a checkpoint folder, or the name of a shipped one
    keep: Share | None = None  # the share of pairs, the most similar ones, that are kept
    centred: Annotated[bool, Field(strict=True)] = False

    @property
    def folder(self) -> Path:
        """The earlier model's folder."""
        given = Path(self.model or "")
        return given if (given / "model.safetensors").is_file() else DATA / given

    @model_validator(mode="after")
    def _one_kind(self) -> Filter:
        if (
            ((self.feature is None) != (self.above is None))
            or ((self.model is None) != (self.keep is None))
            or (self.feature is None) == (self.model is None)
        ):
            raise ValueError("a filter is {feature: …, above: …} or {model: …, keep: …}")
        if self.feature is not None and self.feature not in (known := bias.load().features):
            raise ValueError(
                f"filter.feature {self.feature!r} is unknown; choose from {', '.join(known)}"
            )
        if self.keep == 0:
            raise ValueError("filter.keep must be above 0, got 0")
        if self.model is not None and not (self.folder / "model.safetensors").is_file():
            raise ValueError(
                f"filter.model {self.model!r} is no checkpoint folder: it has no model.safetensors"
            )
        return self


class Captions(_Part):
    """What is said: `b` is the strength of what is planted, `noise` the share of pictures that get
    a caption meant for another one; at `balance` 1 the words of a slot are equally frequent;
    `renamed` has the names that captions use for other groups, in descriptions, kin words and
    names."""

    b: Share = 1.0
    arms: dict[str, Share] = {}
    noise: Share = 0.0
    balance: Share = 0.0
    renamed: dict[str, str] = {}
    filter: Filter | None = None

    @model_validator(mode="after")
    def _known(self) -> Captions:
        known = bias.load().arms["captions"]
        if unknown := sorted(set(self.arms) - set(known)):
            raise ValueError(f"unknown arm {unknown[0]!r}; choose from {', '.join(known)}")
        for levels in (grid.HUES, grid.CRESTS):
            renamed = {name: to for name, to in self.renamed.items() if name in levels}
            if sorted(renamed) != sorted(renamed.values()):
                raise ValueError(
                    f"renamed must exchange names within {', '.join(levels)}, got {renamed}"
                )
        if unknown := sorted(set(self.renamed) - {*grid.HUES, *grid.CRESTS}):
            raise ValueError(
                f"renamed names no group {unknown[0]!r}; there are"
                f" {', '.join(grid.HUES + grid.CRESTS)}"
            )
        return self


class PicturePool(_Part):
    """What is shown: `faces` and `icons` pictures, each of an identity of its own; `seed` draws
    them, by default the network's own; `shares` of the hues, by default equal."""

    faces: Annotated[Whole, Field(ge=64, le=100_000)] = 12_000
    icons: Annotated[Whole, Field(ge=150, le=100_000)] = 3_000
    seed: Annotated[int | Literal["own"], BeforeValidator(_seed_or_own)] = "own"
    shares: dict[Annotated[str, AfterValidator(_hue)], Annotated[Number, Field(gt=0, le=1e6)]] = {}


class WarmStart(_Part):
    """How image towers learn to see before they meet a caption; a network with seed s begins from
    number s mod `of`, which has pictures of its own."""

    of: Annotated[Whole, Field(ge=1, le=900)] = 6
    steps: Count = 1500
    batch: Count = 192
    rate: Annotated[Number, Field(gt=0, le=10)] = 2e-3
    icon_share: Annotated[Number, Field(gt=0, lt=1)] = 0.4
    weight_decay: Annotated[Number, Field(ge=0, le=10)] = 0.1
    pool: PicturePool = PicturePool(faces=16_000, icons=15_000)


class Schedule(_Part):
    """How pictures and captions are brought together: AdamW, linear warm-up, cosine decay to a
    tenth. The image tower stands still for `locked_steps`, learns for `joint_steps` at `image_rate`
    of the rate (at the full rate it forgets the warm start before the text tower has found it),
    then stands still again; while it does, batches can be larger."""

    icon_share: Annotated[Number, Field(gt=0, lt=1)] = 0.25
    steps: Count = 460
    batch: Count = 256
    locked_steps: Annotated[Whole, Field(ge=0, le=1_000_000)] = 150
    locked_batch: Count = 768
    joint_steps: Annotated[Whole, Field(ge=0, le=1_000_000)] = 60
    image_rate: Annotated[Number, Field(gt=0, le=10)] = 0.1
    learning_rate: Annotated[Number, Field(gt=0, le=10)] = 3e-3
    logit_scale: Annotated[Number, Field(gt=0, le=100)] = 20.0
    weight_decay: Annotated[Number, Field(ge=0, le=10)] = 0.1
    clip_norm: Annotated[Number, Field(gt=0, le=1e6)] = 1.0

    def locked(self, step: int) -> bool:
        """Whether the image tower stands still in a step."""
        return not 0 <= step - self.locked_steps < self.joint_steps


class Recipe(_Part):
    """One way to train a Greenhouse model.

    `pairing` is "drawn" (each network draws which name has which look) or "plain" (names fit
    looks).
    """

    name: Annotated[str, AfterValidator(_plain)] = "default"
    architecture: Architecture = Architecture()
    captions: Captions = Captions()
    pool: PicturePool = PicturePool()
    start: WarmStart = WarmStart()
    schedule: Schedule = Schedule()
    pairing: Literal["drawn", "plain"] = "drawn"

    def but(self, **parts: Any) -> Recipe:
        """A copy with some entries changed, e.g. `but(captions={"b": 0.0}, pairing="plain")`."""
        content = self.model_dump()
        for part, change in parts.items():
            content[part] = {**content[part], **change} if isinstance(change, dict) else change
        return Recipe.model_validate(content)

    def model_config_for(self, vocabulary_size: int, context_length: int) -> dict:
        """The `model_cfg` of open_clip's configuration file."""
        towers = self.architecture.model_dump()
        if self.architecture.vision.timm_model_name:
            towers["vision"]["timm_model_pretrained"] = False
        words = {"context_length": context_length, "vocab_size": vocabulary_size}
        return {
            "embed_dim": self.architecture.embed_dim,
            "vision_cfg": towers["vision"],
            "init_logit_scale": math.log(self.schedule.logit_scale),
            "text_cfg": words | towers["text"],
        }

    def hash(self) -> str:
        """Of this recipe and of the world's data files: 12 hexadecimal digits. The code is named by
        its commit."""
        world = [DATA / name for name in WORLD_FILES]
        return kept.key(self.model_dump(exclude={"name"}), world)[:12]


def read(name: str | Path) -> Recipe:
    """The recipe of a YAML file, or of that name in `data/greenhouse/recipes/`; a `ValueError`
    names file, entry, value and rule of every entry that breaks one."""
    file = Path(name) if str(name).endswith((".yaml", ".yml")) else RECIPES / f"{name}.yaml"
    if not file.is_file():
        shipped = ", ".join(each.stem for each in paths.matching(RECIPES, "*.yaml"))
        raise ValueError(
            f"there is no recipe {str(name)!r}; give the path of a .yaml file, or one of {shipped}"
        )
    try:
        content = plain_yaml(read_regular(file)) or {}
        return Recipe.model_validate({"name": file.stem, **content})
    except ValidationError as problem:
        broken = list(dict.fromkeys(map(_described, problem.errors())))
        several = f": {len(broken)} entries break a rule\n  " if len(broken) > 1 else ": "
        raise ValueError(f"recipe {file.name}{several}" + "\n  ".join(broken)) from None
    except (yaml.YAMLError, TypeError, ValueError, RecursionError) as problem:
        raise ValueError(
            f"recipe {file.name} is not readable as a YAML mapping: {problem}"
        ) from None


def _described(fault: Any) -> str:
    """An entry, its rule and its value, as pydantic found them."""
    entry, rule = ".".join(map(str, fault["loc"])), fault["msg"].removeprefix("Value error, ")
    if fault["type"] == "extra_forbidden":
        known: Any = Recipe.model_fields
        for name in fault["loc"][:-1]:
            kinds = (known[name].annotation, *get_args(known[name].annotation))
            known = next(kind for kind in kinds if hasattr(kind, "model_fields")).model_fields
        rule = f"there is no such entry; there are {', '.join(known)}"
    given = "" if fault["type"] in ("missing", "value_error") else f", got {fault['input']!r:.80}"
    return f"{entry or 'recipe'}: {rule}{given}"
