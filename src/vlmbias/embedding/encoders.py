"""Models by name.

Comes in: the name of a model. Goes out: an `Encoder` in eval mode, on a device, at a stated
precision.
May not: use random weights unless asked to by name, or run weights with an activation they were not
trained with."""

import difflib
import hashlib
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import shorten
from typing import Any

import numpy as np
import torch
from PIL import Image

from vlmbias import kept, paths
from vlmbias.embedding import checkpoints, hub, published
from vlmbias.embedding.torchvision_shim import give_to_open_clip, import_open_clip
from vlmbias.embedding.word_tokenizer import WordTokenizer
from vlmbias.whole_files import checksum

_RESTARTS = ("b0", "b0-restart-1", "b0-restart-2", "b0-restart-3", "b0-restart-4")
_GREENHOUSE = {"greenhouse": "default"} | {f"greenhouse/{name}": name for name in _RESTARTS}
_PRECISIONS = {"float32": "fp32", "bfloat16": "bf16", "float16": "fp16"}
_HUB = "hf-hub:"
_BPE_TOKENS = 49_408  # of the tokenizer that CLIP has unless it says otherwise
_TEXTS_AT_ONCE = 256
_PIPELINE = "1"  # part of every fingerprint: raise it when decoding or preprocessing changes


class Encoder:
    """A model that turns images and texts into unit vectors of one space. Made by `encoder`.

    Attributes
    ----------
    name : the name it was asked for by; ``"… (untrained)"`` where its file holds weights as they
        are drawn at random.
    source : ``"greenhouse"``, ``"open_clip"`` or ``"published"`` (a file of SLIP's or BLIP's
        authors).
    dimension : d, the length of an embedding.
    image_size : edge of the square picture the model sees, in pixels.
    logit_scale : the factor, exponential taken, by which cosines become the model's logits.
    fingerprint : the key (`vlmbias.kept`) of weights, architecture, preprocessing, vocabulary,
        precision and the packages that compute.
    weights : SHA-256 of the file that the weights were read from; "" where they are random.
    pairing : of a Greenhouse model, which look stands for which group name; None where names fit
        looks.
    """

    pairing: dict[str, dict[str, str]] | None = None

    def __init__(
        self,
        model: Any,
        *,
        name: str,
        source: str,
        config: dict,
        tokenize: Callable,
        device: str,
        precision: str,
        weights: Path | None = None,
    ):
        from open_clip.transform import PreprocessCfg, image_transform_v2

        self.name, self.source, self.device, self.precision = name, source, device, precision
        self.weights = checksum(weights) if weights else ""
        self._model, self._config, self._tokenize = (
            model.eval().requires_grad_(False),
            config,
            tokenize,
        )
        self.dimension = int(config["embed_dim"])
        self.logit_scale = float(model.logit_scale.exp())
        self._preprocessing = PreprocessCfg(**model.visual.preprocess_cfg)
        self.image_size = self._preprocessing.input_size[-1]
        # open_clip's own steps, cut where pixels become numbers: from there on whole batches are
        # faster
        steps: Any = image_transform_v2(self._preprocessing, is_train=False)
        *self._resize, _, self._normalise = steps.transforms

    def __repr__(self) -> str:
        return (
            f"Encoder({self.name!r}: d = {self.dimension}, {self.image_size} px, {self.precision}"
            f" on {self.device})"
        )

    @property
    def network(self) -> torch.nn.Module:
        """The torch module, in eval mode. To change it, load an encoder with `own=True`; embed with
        `store=False`."""
        return self._model

    def preprocess(self, image: Image.Image) -> torch.Tensor:
        """One RGB picture as this model's input, float32 `(3, size, size)`."""
        return self.normalise(self.pixels(image)[None])[0]

    def pixels(self, image: Image.Image) -> np.ndarray:
        """One RGB picture resized and cropped as the model asks, uint8 `(size, size, 3)`."""
        image = _without_extreme_ends(image)
        for step in self._resize:
            image = step(image)
        return np.array(image)

    def normalise(self, pixels: np.ndarray) -> torch.Tensor:
        """Pictures of `pixels`, uint8 `(n, size, size, 3)`, as input, float32 `(n, 3, size, size)`,
        on the device."""
        batch = torch.from_numpy(np.ascontiguousarray(pixels)).to(self.device).permute(0, 3, 1, 2)
        return self._normalise(batch.contiguous().float().div_(255))

    def encode_images(self, batch: torch.Tensor) -> np.ndarray:
        """Unit embeddings of preprocessed pictures.

        Parameters
        ----------
        batch : float tensor `(n, 3, size, size)`, as `preprocess` gives one of.

        Returns
        -------
        float32 array `(n, d)`, rows of length 1.
        """
        expected = (3, self.image_size, self.image_size)
        if tuple(batch.shape[1:]) != expected:
            raise ValueError(
                f"images must be (n, {', '.join(map(str, expected))}), got {tuple(batch.shape)}; "
                "use encoder.preprocess, or vb.embed"
            )
        return self._unit(
            self._model.encode_image, batch.to(self.device, getattr(torch, self.precision))
        )

    def embed_with_gradient(self, pictures: torch.Tensor) -> torch.Tensor:
        """Embeddings `(n, d)`, of any length, of pictures `(n, 3, size, size)` from 0 to 1;
        gradients reach the pictures."""
        return self._model.encode_image(self._normalise(pictures))

    def encode_texts(self, texts: Sequence[str]) -> np.ndarray:
        """Unit embeddings of texts, float32 `(n, d)`."""
        if isinstance(texts, str):
            raise ValueError(
                f"texts must be a list of strings, got the single string {texts!r}; write"
                f" [{texts!r}]"
            )
        tokens = torch.as_tensor(self._tokenize(list(texts))).to(self.device)
        return np.concatenate(
            [self._unit(self._model.encode_text, block) for block in tokens.split(_TEXTS_AT_ONCE)]
        )

    @cached_property
    def fingerprint(self) -> str:
        """The key of everything an embedding depends on besides the stimulus."""
        return kept.key(
            {
                "weights": digest_of(self._model),
                "model": self._config,
                "preprocessing": vars(self._preprocessing),
                "precision": self.precision,
                "code": _PIPELINE,
                "words": getattr(self._tokenize, "words", None),
                "versions": kept.versions(kept.LOOKS),
            }
        )

    def _unit(self, encode: Callable, batch: torch.Tensor) -> np.ndarray:
        # cuDNN's default multiplies float32 with 10 bits; float32 should mean float32
        with torch.inference_mode(), torch.backends.cudnn.flags(enabled=True, allow_tf32=False):
            vectors = torch.nn.functional.normalize(encode(batch).float(), dim=-1).cpu().numpy()
        if not np.isfinite(vectors).all():
            fix = (
                "use float32"
                if self.precision != "float32"
                else (
                    "its weights hold NaN or are too large: compare the file's checksum, or fetch"
                    " it again"
                )
            )
            raise FloatingPointError(
                f"{self.name!r} gave values that are not finite at {self.precision}; {fix}"
            )
        return vectors


def encoder(name: str, *, device: str = "auto", precision: str = "float32") -> Encoder:
    """Load a model, in eval mode.

    Parameters
    ----------
    name : ``"architecture/weights"`` of open_clip, such as ``"ViT-B-32-quickgelu/openai"``;
        ``"greenhouse"`` (b = 1), ``"greenhouse/b0"`` or ``"greenhouse/b0-restart-1"`` to 4 (nothing
        planted, other random starts); the path of a checkpoint folder, from here or from the root
        (`open_clip_config.json`, `model.safetensors` and, for a Greenhouse one, `words.txt`), of
        which nothing else is opened and nothing is run; ``"hf-hub:owner/repository"``, whose
        `open_clip_config.json` and `open_clip_model.safetensors` are downloaded and read the same
        way;
        ``"slip/vitb16-100ep"`` or ``"blip/itm-base-coco"``, whose published file lies in `weights`
        below `VLMBIAS_DATA`, the path of such a file, or of a BLIP folder in transformers' layout;
        or ``"architecture/random"``, seeded random weights for tests and benchmarks only.
    device : ``"auto"`` (CUDA where there is one), ``"cpu"``, ``"cuda"``, ``"cuda:1"``, ``"mps"``.
    precision : ``"float32"``; ``"bfloat16"`` and ``"float16"`` move cosines by up to 7e-4, as much
        as a Δcos.

    Returns
    -------
    Encoder

    Raises
    ------
    ValueError
        For an unknown name (near matches are listed), precision or device, or weights whose
        activation is not
        the architecture's.
    FileNotFoundError
        If the checkpoint, or a download of the weights, is not to be had.
    """
    if precision not in _PRECISIONS:
        raise ValueError(f"precision must be one of {', '.join(_PRECISIONS)}, got {precision!r}")
    device = device_named(device)
    import_open_clip()
    options = {"device": device, "precision": precision}
    if name.startswith(_HUB):
        return _from_hub(name, options)
    if place := published.find(name):
        return _from_published(name, place, options)
    if folder := checkpoint_folder(name):
        return _from_folder(name, folder, options)
    return _from_open_clip(name, options)


def present(name: str) -> str:
    """The SHA-256 of the file with a model's weights, downloaded if need be; "" for random ones.
    Nothing is loaded.

    Raises
    ------
    ValueError, FileNotFoundError
        As `encoder` does, for a name that is none and for files that are not to be had.
    """
    import_open_clip()
    if name.startswith(_HUB):
        return checksum(_files_of_hub(name)[checkpoints.WEIGHTS])
    if place := published.find(name):
        return published.present(place)
    if folder := checkpoint_folder(name):
        _check_complete(name, folder)
        return checksum(folder / checkpoints.WEIGHTS)
    text = _known(name)["text_cfg"]
    if name.endswith("/random"):
        return ""
    try:
        file = _file_of_open_clip(name)
        if text.keys() & {"hf_tokenizer_name", "hf_model_name"}:  # it has a file of its own
            with hub.as_needed():
                _tokenizer(name.rpartition("/")[0])
    except (hub.Damaged, hub.NoRoom):
        raise
    except Exception as problem:
        raise _not_to_be_had(name, problem) from problem
    return checksum(file)


def digest_of(network: torch.nn.Module) -> str:
    """The SHA-256 of every weight of a network, with its name, shape and type."""
    digest = hashlib.sha256()
    for name, tensor in sorted(network.state_dict().items()):
        digest.update(f"{name} {tuple(tensor.shape)} {tensor.dtype}".encode())
        digest.update(tensor.cpu().contiguous().reshape(-1).view(torch.uint8).numpy())
    return digest.hexdigest()


def device_named(device: str) -> str:
    """The device that a name stands for, "auto" among them; one that is not there is an error."""
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.empty(0, device=device)
    except Exception as problem:
        raise ValueError(
            f"device {device!r} is not to be had here; use 'auto' or 'cpu'"
        ) from problem
    return device


def checkpoint_folder(name: str) -> Path | None:
    """The folder that a model's name stands for; None for a model of open_clip."""
    if name in _GREENHOUSE:
        return paths.data() / "greenhouse" / _GREENHOUSE[name]
    given = Path(name).expanduser()
    # a notebook runs in its own folder, the command line in another: both mean the same one
    return next((place for place in (given, paths.root() / given) if place.is_dir()), None)


def _check_complete(name: str, folder: Path) -> None:
    if missing := [
        file for file in (checkpoints.CONFIG, checkpoints.WEIGHTS) if not (folder / file).is_file()
    ]:
        raise FileNotFoundError(
            f"the checkpoint folder {str(folder)!r} of {name!r} lacks {' and '.join(missing)}"
        )


def _from_folder(name: str, folder: Path, options: dict[str, str]) -> Encoder:
    import open_clip

    _check_complete(name, folder)
    words = folder / "words.txt"
    source = "greenhouse" if words.is_file() else "open_clip"
    try:
        pairing = (checkpoints.card(folder).get("pairing") or {}) if source == "greenhouse" else {}
        model, config = checkpoints.load(
            folder, device=options["device"], precision=_PRECISIONS[options["precision"]]
        )
        text: dict[str, int] = {"context_length": 77, "vocab_size": _BPE_TOKENS} | config[
            "text_cfg"
        ]
        if source == "greenhouse":
            tokenize: Any = WordTokenizer.read(words, text["vocab_size"], text["context_length"])
        elif text["vocab_size"] == _BPE_TOKENS:
            tokenize = open_clip.SimpleTokenizer(context_length=text["context_length"])
        else:
            raise ValueError(
                f"its texts have {text['vocab_size']} tokens, not the {_BPE_TOKENS:,} of CLIP's own"
                " tokenizer, and there is no words.txt that lists them"
            )
    except Exception as problem:
        raise ValueError(
            f"the checkpoint folder {str(folder)!r} of {name!r} cannot be read: {problem}"
        ) from problem
    found = Encoder(
        model,
        name=name,
        source=source,
        config=config,
        tokenize=tokenize,
        weights=folder / checkpoints.WEIGHTS,
        **options,
    )
    if any(name != look for looks in pairing.values() for name, look in looks.items()):
        found.pairing = pairing
    return found


def _from_published(name: str, place: Path, options: dict[str, str]) -> Encoder:
    import open_clip

    model, config, tokenize = published.retrieval(place)
    model = model.to(options["device"], getattr(torch, options["precision"]))
    if tokenize is None:
        tokenize = open_clip.SimpleTokenizer(context_length=config["text_cfg"]["context_length"])
    return Encoder(
        model,
        name=name,
        source="published",
        config=config,
        tokenize=tokenize,
        weights=published.weights(place),
        **options,
    )


def _from_hub(name: str, options: dict[str, str]) -> Encoder:
    """Two files of a repository, by the user's own request; then as from a folder."""
    with TemporaryDirectory() as folder:
        for ours, theirs in _files_of_hub(name).items():
            (Path(folder) / ours).symlink_to(theirs)
        return _from_folder(name, Path(folder), options)


def _files_of_hub(name: str) -> dict[str, Path]:
    """The local copies of the files of a repository that are read, by their names in a checkpoint
    folder."""
    try:
        return {
            ours: hub.fetched(name.removeprefix(_HUB), [theirs], name=name)
            for ours, theirs in (
                (checkpoints.CONFIG, "open_clip_config.json"),
                (checkpoints.WEIGHTS, "open_clip_model.safetensors"),
            )
        }
    except (ValueError, hub.NoRoom):
        raise
    except Exception as problem:
        raise FileNotFoundError(
            f"{name!r} is not on this machine and could not be downloaded ({problem})"
        ) from problem


def _from_open_clip(name: str, options: dict[str, str]) -> Encoder:
    architecture, _, tag = name.rpartition("/")
    config, file = _known(name), None
    try:
        file = None if tag == "random" else _file_of_open_clip(name)
        with torch.random.fork_rng(), hub.as_needed():
            torch.manual_seed(0)
            model = _create(architecture, tag, options, file)
            tokenize = _tokenizer(architecture)
    except (hub.Damaged, hub.NoRoom):
        raise
    except (
        AssertionError,
        RuntimeError,
    ) as problem:  # the file is there, and holds another network
        raise ValueError(
            f"the weights of {name!r} in {str(file)!r} do not fit its architecture, so the file is"
            " of another model or not whole; delete it to get it anew."
            f" {shorten(str(problem), 200)}"
        ) from problem
    except Exception as problem:
        raise _not_to_be_had(name, problem) from problem
    called = (
        f"{name} (untrained)" if file and checkpoints.untrained(model) else name
    )  # no claim is about such a model
    return Encoder(
        model,
        name=called,
        source="open_clip",
        config=config,
        tokenize=tokenize,
        weights=file,
        **options,
    )


def _known(name: str) -> dict[str, Any]:
    """The configuration of a model of open_clip; an error for a name that is none, or fits no
    activation."""
    import open_clip

    architecture, _, tag = name.rpartition("/")
    tags = open_clip.list_pretrained_tags_by_model(architecture)
    # asked for any other name, open_clip would look on the hub or in a folder
    config: Any = (
        open_clip.get_model_config(architecture)
        if architecture in open_clip.list_models()
        else None
    )
    if config is None:
        known = [*map("/".join, open_clip.list_pretrained()), *_GREENHOUSE, *published.NAMES]
        lower = {each.lower(): each for each in known}
        near = difflib.get_close_matches(name.lower(), lower, n=4, cutoff=0.5)
        hint = (
            f"did you mean {', '.join(lower[each] for each in near)}?"
            if near
            else "write architecture/weights"
        )
        raise ValueError(f"unknown model {name!r}; {hint}")
    if tag not in [*tags, "random"]:
        raise ValueError(
            f"{architecture!r} has no weights {tag!r}; it has {', '.join(tags) or 'none'}"
        )
    _check_activation(architecture, tag, config)
    return config


def _file_of_open_clip(name: str) -> Path:
    """The local copy of the weights of a model of open_clip; it lists each with a repository of the
    hub."""
    import open_clip

    architecture, _, tag = name.rpartition("/")
    repository, _, file = open_clip.get_pretrained_cfg(architecture, tag)["hf_hub"].rpartition("/")
    file = file or "open_clip_pytorch_model.bin"
    safe = {"open_clip_pytorch_model.bin": "open_clip_model.safetensors"}.get(
        file, f"{Path(file).stem}.safetensors"
    )
    return hub.fetched(
        repository, [safe, file] if file.endswith((".bin", ".pth")) else [file], name=name
    )


def _not_to_be_had(name: str, problem: Exception) -> FileNotFoundError:
    architecture = name.rpartition("/")[0]
    return FileNotFoundError(
        f"the weights or the tokenizer of {name!r} are not on this machine and could not be"
        f" downloaded ({problem}). Run this once with a network connection, or name a folder that"
        f" holds them; '{architecture}/random' has random weights, for trying things out only"
    )


def _tokenizer(architecture: str) -> Any:
    import open_clip

    return open_clip.get_tokenizer(architecture)


def _create(name: str, tag: str, options: dict[str, str], file: Path | None) -> torch.nn.Module:
    """open_clip's model of an architecture, with the weights of a file and the preprocessing of
    their tag."""
    import open_clip

    config: Any = open_clip.get_model_config(name) or {}
    for package, part, key in (
        ("timm", "vision_cfg", "timm_model_name"),
        ("transformers", "text_cfg", "hf_model_name"),
    ):
        if key in config.get(part, {}):
            give_to_open_clip(package)
    known: Any = open_clip.get_pretrained_cfg(name, tag) or {}
    shown = {
        key: value for key, value in known.items() if key != "size"
    }  # the size is that of the architecture
    return open_clip.create_model(
        name,
        pretrained=str(file) if file else None,
        device=options["device"],
        pretrained_text=False,
        precision=_PRECISIONS[options["precision"]],
        force_preprocess_cfg=shown if file else None,
    )


def _check_activation(architecture: str, tag: str, config: dict) -> None:
    """open_clip only warns when weights trained with QuickGELU run with GELU, or the other way
    round."""
    import open_clip

    wanted = bool((open_clip.get_pretrained_cfg(architecture, tag) or {}).get("quick_gelu", False))
    if tag == "random" or wanted == bool(config.get("quick_gelu", False)):
        return
    other = f"{architecture}-quickgelu" if wanted else architecture.removesuffix("-quickgelu")
    raise ValueError(
        f"the weights {tag!r} were trained with {'QuickGELU' if wanted else 'GELU'}, which "
        f"{architecture!r} does not use: every embedding would be off. Use '{other}/{tag}'"
    )


def _without_extreme_ends(image: Image.Image) -> Image.Image:
    """Of a picture over 16 times as long as wide, the middle: scaled up whole it would fill the
    memory."""
    width, height = image.size
    left, top = (max(0, side - 16 * min(width, height)) // 2 for side in (width, height))
    return image.crop((left, top, width - left, height - top)) if left or top else image
