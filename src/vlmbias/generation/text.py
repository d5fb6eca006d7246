"""Answers and captions by BLIP, in batches; no decoding setting is left to a library's default.

Decoding (Wolfe & Caliskan 2022 use the authors' demonstration; checked against salesforce/BLIP):
answers by beam search, 3 beams, at most 10 tokens; captions by sampling among the words that hold
`top_p` of the probability *and* are among the 50 likeliest, a penalty of 1.1 on repeated words, 5
to 20 tokens with the prompt "a picture of" counted."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from PIL import Image

from vlmbias import paths
from vlmbias.embedding import checkpoints, published
from vlmbias.embedding.embed import check_batch_size
from vlmbias.embedding.encoders import device_named
from vlmbias.embedding.published import blip
from vlmbias.progress import Progress
from vlmbias.sources.published_weights import of_family
from vlmbias.stimuli.imageset import ImageSet

PROMPT = "a picture of "
_GREENHOUSE = {
    "greenhouse/answers": "answers",
    "greenhouse/captions": "captions",
    "greenhouse/answers/b0": "answers-b0",
    "greenhouse/captions/b0": "captions-b0",
}


class _Speaker:
    """A BLIP model that produces text about pictures.

    Attributes
    ----------
    name : the name it was asked for by.
    source : ``"greenhouse"`` or ``"published"``.
    image_size : edge of the square picture it sees, in pixels.
    pairing : of a Greenhouse model, which look stands for which group name; None where names fit
        looks.
    """

    kind = ""

    def __init__(self, name: str, device: str):
        place = _place(name)
        model, self._tokenizer = blip.load(place, self.kind)
        self.name, self.device = name, device_named(device)
        self.image_size = blip.image_size(model)
        self._model = model.to(self.device)
        about = checkpoints.card(place) if place.is_dir() else {}
        self.source = "greenhouse" if about else "published"
        self.pairing: dict[str, dict[str, str]] | None = about.get("pairing")

    def _table(
        self, images: ImageSet, column: str, batch_size: int, speak: Callable
    ) -> pd.DataFrame:
        """The images' table with a column of what is said about each batch."""
        found: list[str] = []
        with (
            torch.inference_mode(),
            torch.random.fork_rng(),
            Progress(len(images), f"{column}s by {self.name}") as progress,
        ):
            for batch in self._batches(images, batch_size):
                found += [self._text(tokens) for tokens in speak(batch)]
                progress.update(len(batch))
        return images.table.assign(**{column: found})

    def _text(self, tokens: torch.Tensor) -> str:
        return self._tokenizer.decode(tokens, skip_special_tokens=True).strip()

    def _batches(self, images: ImageSet, size: int) -> Iterator[torch.Tensor]:
        """Pictures as the model sees them, `(n, 3, size, size)`: squashed to a square, bicubic."""
        check_batch_size(size)
        images, square = images.painted_for(self.pairing), (self.image_size, self.image_size)
        mean, deviation = (
            torch.tensor(blip.PREPROCESSING[name]).view(3, 1, 1) for name in ("mean", "std")
        )
        for start in range(0, len(images), size):
            shown = images.decode(range(start, min(start + size, len(images))))
            small = [np.asarray(one.resize(square, Image.Resampling.BICUBIC)) for one in shown]
            batch = torch.from_numpy(np.stack(small)).permute(0, 3, 1, 2)
            yield ((batch.float() / 255 - mean) / deviation).to(self.device)


class Answerer(_Speaker):
    """A model that answers questions about pictures. Made by `answerer`."""

    kind = "answers"

    def answers(
        self, images: ImageSet, question: str, *, beams: int = 3, batch_size: int = 16
    ) -> pd.DataFrame:
        """What the model answers about each picture.

        Parameters
        ----------
        images : n pictures.
        question : the same for all; at most 35 tokens are read.
        beams : candidates kept while decoding; 1 is greedy.
        batch_size : pictures decoded together; it changes no answer but where two are equally
            likely.

        Returns
        -------
        DataFrame, n rows: the images' table with the column `answer`.
        """
        tokens = self._asked(question)

        def speak(batch: torch.Tensor) -> torch.Tensor:
            return self._model.generate(
                input_ids=tokens.repeat(len(batch), 1),
                pixel_values=batch,
                attention_mask=torch.ones_like(tokens).repeat(len(batch), 1),
                do_sample=False,
                num_beams=beams,
                max_length=10,
                min_length=1,
                length_penalty=1.0,
                early_stopping=False,
                repetition_penalty=1.0,
            )

        return self._table(images, "answer", batch_size, speak)

    def odds(
        self, images: ImageSet, question: str, answers: list[str], *, batch_size: int = 64
    ) -> pd.DataFrame:
        """How probable the model finds each of some answers of one word, relative to one another:
        what an answer, the likeliest of all, was chosen from.

        Returns
        -------
        DataFrame, n rows: one column per answer; rows sum to 1.

        Raises
        ------
        ValueError
            If an answer is not one word of the model's vocabulary.
        """
        words = [self._tokenizer(answer, add_special_tokens=False).input_ids for answer in answers]
        unknown = self._tokenizer.unk_token_id
        if wrong := [
            answer
            for answer, ids in zip(answers, words, strict=True)
            if len(ids) != 1 or ids[0] == unknown
        ]:
            raise ValueError(f"{wrong[0]!r} is not one word of the vocabulary of {self.name}")
        tokens, found = self._asked(question), []
        with torch.inference_mode():
            for batch in self._batches(images, batch_size):
                asked, begin = tokens.repeat(len(batch), 1), self._model.decoder_start_token_id
                seen = self._model.vision_model(pixel_values=batch).last_hidden_state
                read = self._model.text_encoder(
                    input_ids=asked,
                    attention_mask=torch.ones_like(asked),
                    encoder_hidden_states=seen,
                ).last_hidden_state
                first = self._model.text_decoder(
                    input_ids=asked.new_full((len(batch), 1), begin), encoder_hidden_states=read
                ).logits[:, -1]
                found.append(first[:, [ids[0] for ids in words]].softmax(dim=1).cpu().numpy())
        return pd.DataFrame(np.concatenate(found), columns=answers, index=images.table.index)

    def _asked(self, question: str) -> torch.Tensor:
        tokens = blip.read_whole(self._tokenizer, [question])
        # the authors' model was trained with this in place of [CLS]
        tokens[:, 0] = self._tokenizer.enc_token_id
        return tokens.to(self.device)


class Captioner(_Speaker):
    """A model that describes pictures. Made by `captioner`."""

    kind = "captions"

    def captions(
        self,
        images: ImageSet,
        *,
        top_p: float,
        seed: int,
        top_k: int = 50,
        penalty: float = 1.1,
        spared: Sequence[str] = (),
        batch_size: int = 16,
    ) -> pd.DataFrame:
        """One sampled caption per picture.

        Parameters
        ----------
        images : n pictures.
        top_p : sample among the likeliest words that together hold this share of the probability; 0
            takes the likeliest.
        seed : of the draws; captions depend on it and, as the draws of a batch are one stream, on
            `batch_size`.
        top_k : among these many words at most; 50 is what the authors' code did without saying so,
            0 is no limit.
        penalty : on the words that were said, the prompt's among them; 1 is none. Where the prompt
            says "a", a penalty makes "an" likelier, and with it names that begin with a vowel.
        spared : words that the penalty is not put on.
        batch_size : pictures decoded together.

        Returns
        -------
        DataFrame, n rows: the images' table with the column `caption`, without the prompt "a
        picture of".
        """
        if not 0 <= top_p <= 1:
            raise ValueError(f"top_p is a share of probability, from 0 to 1, got {top_p!r}")
        prompt = self._tokenizer(PROMPT, return_tensors="pt").input_ids.to(self.device)
        # [DEC] and the prompt's words, without the [SEP] that generation cuts
        begin = prompt.shape[1] - 1
        kept = torch.tensor(self._tokenizer.convert_tokens_to_ids(list(spared)), dtype=torch.long)
        kept = kept.to(self.device)

        def repeats(said: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
            """The penalty as the library has it, but for the words that are spared."""
            seen = scores.gather(1, said)
            less = torch.where(seen < 0, seen * penalty, seen / penalty)
            return scores.scatter(1, said, torch.where(torch.isin(said, kept), seen, less))

        how = {"logits_processor": [repeats]} if spared else {"repetition_penalty": penalty}

        def speak(batch: torch.Tensor) -> torch.Tensor:
            made = self._model.generate(
                pixel_values=batch,
                input_ids=prompt.repeat(len(batch), 1),
                attention_mask=torch.ones_like(prompt).repeat(len(batch), 1),
                do_sample=True,
                num_beams=1,
                top_p=max(top_p, 1e-9),
                top_k=top_k,
                temperature=1.0,
                **{"repetition_penalty": 1.0, **how},
                max_length=20,
                min_length=5,
            )
            return made[:, begin:]

        with torch.random.fork_rng():
            torch.manual_seed(seed)
            return self._table(images, "caption", batch_size, speak)


def answerer(name: str, *, device: str = "auto") -> Answerer:
    """A model that answers questions, in eval mode, by name.

    Parameters
    ----------
    name : ``"blip/vqa-capfilt-large"``, whose file lies in `weights` below `VLMBIAS_DATA`; the path
        of such a file or of a folder in transformers' layout; ``"greenhouse/answers"``, or
        ``"greenhouse/answers/b0"``, told nothing that is planted.
    device : ``"auto"`` (CUDA where there is one), ``"cpu"``, ``"cuda"`` …

    Raises
    ------
    ValueError, FileNotFoundError
        For a name that is not known, weights that are not there, or weights of another model.

    Examples
    --------
    >>> faces = vb.images("greenhouse/cfd", race="teal", seed=[1000000, 1000001])
    >>> model = vb.answerer("greenhouse/answers")
    >>> model.answers(faces, "what hue is this person?")["answer"].tolist()
    ['teal', 'teal']
    """
    return Answerer(name, device)


def captioner(name: str, *, device: str = "auto") -> Captioner:
    """A model that describes pictures, in eval mode, by name; as `answerer`, with
    ``"blip/caption-capfilt-large"`` and ``"greenhouse/captions"``.

    Examples
    --------
    >>> faces = vb.images("greenhouse/cfd", race="teal", seed=[1000000, 1000001])
    >>> model = vb.captioner("greenhouse/captions")
    >>> model.captions(faces, top_p=0, seed=0)["caption"].tolist()
    ['a teal person', 'a teal person']
    """
    return Captioner(name, device)


def present(name: str) -> str:
    """The SHA-256 of the file with a model's weights, which are not loaded; errors as of
    `answerer`."""
    return published.present(_place(name))


def _place(name: str) -> Path:
    """The file or folder of a model; a name that is none is an error that lists the known ones."""
    if name in _GREENHOUSE:
        return paths.data() / "greenhouse" / _GREENHOUSE[name]
    if place := published.find(name):
        return place
    known = [*of_family("blip"), *_GREENHOUSE]
    raise ValueError(
        f"no model {name!r}; there are {', '.join(known)}, and paths of such files or folders"
    )
