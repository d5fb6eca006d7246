"""Which picture meets which caption: a recipe's captions, drawn batch by batch."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from greenhouse.train.recipe import Captions, Filter
from greenhouse.world import pairing as pairings
from greenhouse.world.grammar import Grammar, Speaker

if TYPE_CHECKING:
    from greenhouse.train.pool import Pool


class Pairs:
    """Draws pairs of pictures and captions for one network; `tokens` has every caption there is."""

    def __init__(self, grammar: Grammar, pool: Pool, captions: Captions):
        self.captions, self.pool = captions, pool
        self.speaker = Speaker(
            grammar,
            pool.rows,
            captions.b,
            arms=captions.arms,
            balance=captions.balance,
            renamed=captions.renamed,
        )
        self.tokens = self.speaker.tokens
        keep = captions.filter
        self._kept = keep.keep if keep and keep.keep else 1.0
        self._liking = _Liking(pool, self.tokens, keep) if keep and keep.model else None

    def draw(
        self, batch: int, icon_share: float, *, rng: np.random.Generator
    ) -> tuple[np.ndarray, np.ndarray, int]:
        """Rows of the pool (sorted, faces first), the caption of each, and how many rows are
        faces."""
        n_icons = round(batch * icon_share)
        if self._liking is None:
            index = self._rows(batch - n_icons, n_icons, rng)
            return index, self._captions(index, rng), batch - n_icons
        parts = []
        for n, kind in ((batch - n_icons, (1, 0)), (n_icons, (0, 1))):
            many = int(np.ceil(n / self._kept))
            index = self._rows(kind[0] * many, kind[1] * many, rng)
            caption = self._captions(index, rng)
            liked = np.sort(np.argsort(-self._liking(index, caption), kind="stable")[:n])
            parts.append((index[liked], caption[liked]))
        index, caption = (np.concatenate(both) for both in zip(*parts, strict=True))
        return index, caption, batch - n_icons

    def _rows(self, n_faces: int, n_icons: int, rng: np.random.Generator) -> np.ndarray:
        index = np.concatenate(
            [
                rng.integers(0, self.pool.n_faces, n_faces),
                rng.integers(self.pool.n_faces, len(self.pool.rows), n_icons),
            ]
        )
        return np.sort(index)

    def _captions(self, index: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        if not self.captions.noise:
            return self.speaker.draw(index, rng=rng)
        face = index < self.pool.n_faces
        other = np.where(
            face,
            rng.integers(0, self.pool.n_faces, len(index)),
            rng.integers(self.pool.n_faces, len(self.pool.rows), len(index)),
        )
        wrong = rng.random(len(index)) < self.captions.noise
        return self.speaker.draw(np.where(wrong, other, index), rng=rng)


class _Liking:
    """The cosine that an earlier model gives a picture and a caption, less its mean over faces or
    icons if `centred`.

    The earlier model is shown the faces in the looks that it knows their names by, if its card
    tells them.
    """

    def __init__(self, pool: Pool, tokens: np.ndarray, keep: Filter):
        from greenhouse.train import model as models
        from greenhouse.train.pool import repainted

        earlier, _ = models.load(keep.folder)
        known = json.loads((keep.folder / "card.json").read_text(encoding="utf-8")).get("pairing")
        look = pairings.of_record(known) if known else pool.pairing
        self.seen = models.embed_pictures(
            earlier, repainted(pool, look, models.image_size(earlier))
        )
        self.said = models.embed_tokens(earlier, tokens)
        self.n_faces = pool.n_faces
        halves = self.seen[: pool.n_faces], self.seen[pool.n_faces :]
        self.usual = np.stack([self.said @ half.mean(axis=0) for half in halves]) * keep.centred

    def __call__(self, index: np.ndarray, caption: np.ndarray) -> np.ndarray:
        likes = (self.seen[index] * self.said[caption]).sum(axis=1)
        return likes - self.usual[(index >= self.n_faces).astype(int), caption]
