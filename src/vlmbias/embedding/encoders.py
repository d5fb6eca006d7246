"""Models by name: random weights only if asked for by name, and no weights with an activation that
they were not trained with."""

import difflib
import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import shorten
from typing import Any

import numpy as np
import torch
from PIL import Image

from vlmbias import kept, paths
from vlmbias.embedding import checkpoints, hub, published
from vlmbias.embedding.published.reading import check_complete
from vlmbias.embedding.torchvision_shim import give_to_open_clip, import_open_clip
from vlmbias.embedding.word_tokenizer import WordTokenizer
from vlmbias.whole_files import checksum

_RESTARTS = ("b0", "b0-restart-1", "b0-restart-2", "b0-restart-3", "b0-restart-4")
_GREENHOUSE = {"greenhouse": "default"} | {f"greenhouse/{name}": name for name in _RESTARTS}
_HUB = "hf-hub:"
_MODELS = 4  # kept at once; a large one takes a gigabyte
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
    fingerprint : the key (`vlmbias.kept`) of weights, architecture, preprocessing, vocabulary and
        the packages that compute.
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
        weights: Path | None = None,
    ):
        from open_clip.transform import PreprocessCfg, image_transform_v2

        self.name, self.source, self.device = name, source, device
        self.weights = checksum(weights) if weights else ""
        self._model = model.eval().requires_grad_(False)
        self._config, self._tokenize = config, tokenize
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
            f"Encoder({self.name!r}: d = {self.dimension}, {self.image_size} px, on {self.device})"
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
        """Unit embeddings, float32 `(n, d)`, of pictures `(n, 3, size, size)`, as `preprocess`
        gives one of."""
        expected = (3, self.image_size, self.image_size)
        if tuple(batch.shape[1:]) != expected:
            raise ValueError(
                f"images must be (n, {', '.join(map(str, expected))}), got {tuple(batch.shape)}; "
                "use encoder.preprocess, or vb.embed"
            )
        return self._unit(self._model.encode_image, batch.to(self.device, torch.float32))

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
        self._check_read_whole(texts, tokens.shape[1])
        return np.concatenate(
            [self._unit(self._model.encode_text, block) for block in tokens.split(_TEXTS_AT_ONCE)]
        )

    def _check_read_whole(self, texts: Sequence[str], places: int) -> None:
        """Raise for a text of which the tokenizer leaves out the end: without its last letter, its
        tokens are the same. Tokenizers with a list of words refuse such a text themselves."""
        for text in () if hasattr(self._tokenize, "words") else texts:
            plain = re.sub(r"[\W_]+$", "", text)
            if len(plain.encode()) < places - 2:
                continue
            whole, less = self._tokenize([plain]), self._tokenize([plain[:-1]])
            if whole.shape == less.shape and bool((whole == less).all()):
                raise ValueError(
                    f"{plain[:40]!r}… has {len(plain):,} letters, and {self.name!r} reads no more"
                    f" than {places} tokens of a text: it would not see how this one ends. Shorten"
                    " it."
                )

    @cached_property
    def fingerprint(self) -> str:
        """The key of everything an embedding depends on besides the stimulus."""
        return kept.key(
            {
                "weights": digest_of(self._model),
                "model": self._config,
                "preprocessing": vars(self._preprocessing),
                "precision": "float32",
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
            raise FloatingPointError(
                f"{self.name!r} gave values that are not finite; its weights hold NaN or are too"
                " large: compare the file's checksum, or fetch it again"
            )
        return vectors


def encoder(name: str, *, device: str = "auto", own: bool = False) -> Encoder:
    """A model by name, in eval mode: loaded once per process, and anew if a file of it changes.

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
    own : True for one that nobody else has, to change its network; else it is shared, and must not
        be changed.

    Returns
    -------
    Encoder

    Raises
    ------
    ValueError
        For an unknown name (near matches are listed) or device, or weights whose activation is not
        the architecture's.
    FileNotFoundError
        If the checkpoint, or a download of the weights, is not to be had.

    Examples
    --------
    >>> model = vb.encoder("greenhouse")
    >>> model
    Encoder('greenhouse': d = 64, 64 px, on cpu)
    >>> model.encode_texts(["a teal person", "an amber person"]).shape
    (2, 64)
    """
    return _load(name, device) if own else _shared(name, device, _state(name))


@lru_cache(maxsize=_MODELS)
def _shared(name: str, device: str, state: tuple) -> Encoder:
    """A model in this state of its files."""
    return _load(name, device)


def _state(name: str) -> tuple:
    """Path, time and size of every file of a model that is read from files."""
    place = published.find(name) or checkpoint_folder(name)
    found = sorted(place.glob("*")) if place and place.is_dir() else [place] if place else []
    files = ((path.resolve(), path.stat()) for path in found if path.is_file())
    return tuple((str(path), about.st_mtime_ns, about.st_size) for path, about in files)


def _load(name: str, device: str) -> Encoder:
    device = device_named(device)
    import_open_clip()
    if name.startswith(_HUB):
        return _from_hub(name, device)
    if place := published.find(name):
        return _from_published(name, place, device)
    if folder := checkpoint_folder(name):
        return _from_folder(name, folder, device)
    return _from_open_clip(name, device)


def present(name: str) -> str:
    """The SHA-256 of the file with a model's weights, downloaded if need be; "" for random ones.
    Nothing is loaded; errors as of `encoder`."""
    open_clip = import_open_clip()
    if name.startswith(_HUB):
        return checksum(_files_of_hub(name)[checkpoints.WEIGHTS])
    if place := published.find(name):
        return published.present(place)
    if folder := checkpoint_folder(name):
        check_complete(folder, checkpoints.CONFIG, checkpoints.WEIGHTS)
        return checksum(folder / checkpoints.WEIGHTS)
    text = _known(name)["text_cfg"]
    architecture, _, tag = name.rpartition("/")
    if tag == "random":
        return ""
    with _to_be_had(name):
        file = _file_of_open_clip(name)
        if text.keys() & {"hf_tokenizer_name", "hf_model_name"}:  # it has a file of its own
            open_clip.get_tokenizer(architecture)
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
    return next((place for place in paths.meant_by(name) if place.is_dir()), None)


def _from_folder(name: str, folder: Path, device: str) -> Encoder:
    import open_clip

    check_complete(folder, checkpoints.CONFIG, checkpoints.WEIGHTS)
    words = folder / "words.txt"
    source = "greenhouse" if words.is_file() else "open_clip"
    try:
        pairing = (checkpoints.card(folder).get("pairing") or {}) if source == "greenhouse" else {}
        model, config = checkpoints.load(folder, device=device)
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
        device=device,
    )
    if any(name != look for looks in pairing.values() for name, look in looks.items()):
        found.pairing = pairing
    return found


def _from_published(name: str, place: Path, device: str) -> Encoder:
    import open_clip

    model, config, tokenize = published.retrieval(place)
    if tokenize is None:
        tokenize = open_clip.SimpleTokenizer(context_length=config["text_cfg"]["context_length"])
    return Encoder(
        model.to(device),
        name=name,
        source="published",
        config=config,
        tokenize=tokenize,
        weights=published.weights(place),
        device=device,
    )


def _from_hub(name: str, device: str) -> Encoder:
    """Two files of a repository, by the user's own request; then as from a folder."""
    with TemporaryDirectory() as folder:
        for ours, theirs in _files_of_hub(name).items():
            (Path(folder) / ours).symlink_to(theirs)
        return _from_folder(name, Path(folder), device)


def _files_of_hub(name: str) -> dict[str, Path]:
    """The local copies of the files of a repository that are read, by their names in a checkpoint
    folder."""
    theirs = {
        checkpoints.CONFIG: "open_clip_config.json",
        checkpoints.WEIGHTS: "open_clip_model.safetensors",
    }
    with _to_be_had(name):
        return {
            ours: hub.fetched(name.removeprefix(_HUB), [file], name=name)
            for ours, file in theirs.items()
        }


@contextmanager
def _to_be_had(name: str) -> Iterator[None]:
    """Say what to do where what the block asks for is neither here nor to be downloaded."""
    from huggingface_hub.errors import HFValidationError

    try:
        with hub.as_needed():
            yield
    except (hub.Damaged, hub.NoRoom, HFValidationError):
        raise
    except Exception as problem:
        architecture = name.rpartition("/")[0]
        raise FileNotFoundError(
            f"the weights or the tokenizer of {name!r} are not on this machine and could not be"
            f" downloaded ({problem}). Run this once with a network connection, or name a folder"
            " that holds them"
            + f"; '{architecture}/random' has random weights, for trying things out only"
            * (not name.startswith(_HUB))
        ) from problem


def _from_open_clip(name: str, device: str) -> Encoder:
    import open_clip

    architecture, _, tag = name.rpartition("/")
    config, file = _known(name), None
    for package, part, key in (
        ("timm", "vision_cfg", "timm_model_name"),
        ("transformers", "text_cfg", "hf_model_name"),
    ):
        if key in config.get(part, {}):
            give_to_open_clip(package)
    shown: Any = dict(open_clip.get_pretrained_cfg(architecture, tag) or {})
    shown.pop("size", None)  # it is that of the architecture
    with _to_be_had(name), torch.random.fork_rng():
        if tag != "random":
            file = _file_of_open_clip(name)
        torch.manual_seed(0)
        try:
            model = open_clip.create_model(
                architecture,
                pretrained=str(file) if file else None,
                device=device,
                pretrained_text=False,
                force_preprocess_cfg=shown if file else None,
            )
        except (AssertionError, RuntimeError) as problem:
            raise hub.Damaged(
                f"the weights of {name!r} in {str(file)!r} do not fit its architecture, so the file"
                " is of another model or not whole; delete it to get it anew."
                f" {shorten(str(problem), 200)}"
            ) from problem
        tokenize = open_clip.get_tokenizer(architecture)
    return Encoder(
        model,
        # no claim is about a model that nobody trained
        name=f"{name} (untrained)" if file and checkpoints.untrained(model) else name,
        source="open_clip",
        config=config,
        tokenize=tokenize,
        weights=file,
        device=device,
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
        near = [each for each in lower if each.startswith(name.lower())][:4]
        near = near or difflib.get_close_matches(name.lower(), lower, n=4, cutoff=0.7)
        hint = f"did you mean {', '.join(lower[each] for each in near)}?" if near else ""
        given, others = paths.meant_by(name), paths.meant_by(name.partition("/")[2])
        if file := next((place for place in (*given, *others) if place.is_file()), None):
            hint = (
                f"{file.absolute()} is a file; a checkpoint of open_clip is given as the folder"
                " with its configuration, which book/rerun.md says how to make"
            )
        elif not near and _is_path(name):
            hint = f"no such folder: {paths.looked_for(given)}"
        elif name.count("/") == 1 and architecture not in open_clip.list_models():
            hint += f" a repository of the hub with open_clip's files is written hf-hub:{name}"
        raise ValueError(f"unknown model {name!r}; {hint.strip() or 'write architecture/weights'}")
    if tag not in [*tags, "random"]:
        raise ValueError(
            f"{architecture!r} has no weights {tag!r}; it has {', '.join(tags) or 'none'}"
        )
    _check_activation(architecture, tag, config)
    return config


def _is_path(name: str) -> bool:
    """Whether a name that stands for nothing is meant as a path: it begins or ends as one, goes
    deeper than a model's name does, or its folder is there."""
    return (
        name.startswith(("/", ".", "~"))
        or name.endswith((".pt", ".pth", ".bin", ".safetensors"))
        or name.rstrip("/").count("/") > 1
        or ("/" in name and any(place.parent.is_dir() for place in paths.meant_by(name)))
    )


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
