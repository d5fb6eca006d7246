"""How each table of this folder is made from the files of its authors.

    python data/published/make.py MIRROR [TABLE …]

writes the tables anew; MIRROR is a folder with the originals (`index.yaml` says which, with their
hashes). One function makes one table; the page that shows a computed table prints its function.
"""

import json
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

import vlmbias as vb

HERE = Path(__file__).parent
TWIN = "ViT-L/14@336px"  # ViT-L/14 trained on at a higher resolution
CLIPS = ["RN50", "RN101", "RN50x4", "RN50x16", "RN50x64", "ViT-B/32", "ViT-B/16", "ViT-L/14", TWIN]


def rows_of(file: Path) -> pd.DataFrame:
    """A table of text, digit by digit."""
    return pd.read_csv(file, dtype=str, keep_default_na=False)


def by_model(table: pd.DataFrame, *first: str) -> pd.DataFrame:
    """Sorted by these columns, then by model in the order of `CLIPS`."""
    place = table["model"].map(CLIPS.index)
    return table.assign(place=place).sort_values([*first, "place"]).drop(columns="place")


# --- facts, as their authors published them -------------------------------------------------------


def census_shares(mirror: Path) -> pd.DataFrame:
    """The shares of four groups in every state."""
    names = {"White": "white", "Black": "black", "Asian": "asian", "Hispanic": "latino"}
    found = rows_of(mirror / "american_white/race_stats_df_proportional.csv")
    found = found.rename(columns={found.columns[0]: "state", **names})
    return found[["state", "white", "black", "asian", "latino"]].sort_values("state")


def open_clip_zero_shot(mirror: Path) -> pd.DataFrame:
    """Accuracies of open_clip's models on 28 tasks, and on three tasks for the worst-off group."""
    found = rows_of(mirror / "open_clip/docs/openclip_results.csv")
    shipped = list(pd.read_csv(HERE / "open_clip_zero_shot.csv", nrows=0))
    names = {"name": "architecture", "pretrained": "tag", "params (M)": "parameters"}
    worst = {task: f"{task} (worst group)" for task in ("FMoW", "Dollar Street", "GeoDE")}
    return found.rename(columns=names | worst)[shipped]


def ieat_results(mirror: Path) -> pd.DataFrame:
    """Association tests of images with images, in two models."""
    names = {"Test": "test", "Model": "model", "X": "x", "Y": "y", "A": "a", "B": "b"}
    names |= {"d": "d", "p": "p", "n_t": "n_target", "n_a": "n_attribute"}
    found = rows_of(mirror / "ieat/output/results-full.csv").rename(columns=names)
    return found[list(names.values())].sort_values(["test", "model"])


PLAIN = {"Euro": "European American", "Native": "Native American", "Other-People": "Other people"}
PLAIN |= {one: one.lower() for one in ("Pleasant", "Unpleasant", "Foreign", "World", "Career")}
PLAIN |= {one: one.lower() for one in ("Family", "Science", "Liberal-Arts", "Tool", "Weapon")}
PLAIN |= {"Tool-modern": "modern tool", "Weapon-modern": "modern weapon"}
PLAIN |= {"Light": "Light skin", "Dark": "Dark skin", "Arab-Muslim": "Arab Muslim"}


def clip_image_tests(mirror: Path) -> pd.DataFrame:
    """Nineteen association tests of images with images, in nine models of OpenAI."""
    found = rows_of(mirror / "CLIP_bias_2022/ca519c9/results/data/ieat_replication.csv")
    names = {"Target": "test", "X": "x", "Y": "y", "A": "a", "B": "b", "nt": "n_target"}
    names |= {"na": "n_attribute", "model": "model", "effect_size": "d", "pvalue": "p"}
    found = found.rename(columns=names | {"npermutations": "n_splits"})
    plain = found.replace({"x": PLAIN, "y": PLAIN, "a": PLAIN, "b": PLAIN})
    called = plain["x"] + " / " + plain["y"] + ", " + plain["a"] + " / " + plain["b"]
    found.insert(0, "called", called.str.replace("-", " "))
    return by_model(found[["called", *names.values(), "n_splits"]], "test", "a")


def clip_text_tests(mirror: Path) -> pd.DataFrame:
    """Tests of sentences with pleasant and unpleasant sentences, in the same nine models."""
    found = rows_of(mirror / "CLIP_bias_2022/ca519c9/results/data/seat_replication.csv")
    found = found[found["test_name"].str.startswith("sent-weat") & (found["A"] == "Pleasant")]
    names = {"test_name": "test", "X": "x", "Y": "y", "A": "a", "B": "b", "nt": "n_target"}
    names |= {"na": "n_attribute", "model": "model", "effect_size": "d", "p_value": "p"}
    found = found.rename(columns=names).assign(
        test=lambda table: table["test"].str.removesuffix(".jsonl"),
        n_target=lambda table: table["n_target"].str.removesuffix(".0"),
        n_attribute=lambda table: table["n_attribute"].str.removesuffix(".0"),
    )
    return by_model(found[[*names.values()]], "test")


def clip_cross_modal_tests(mirror: Path) -> pd.DataFrame:
    """Tests of images with sentences and of sentences with images, in the same nine models."""
    found = rows_of(mirror / "CLIP_bias_2022/ca519c9/results/data/cross_modal.csv")
    image = found["order"] == "image as target"
    side = {
        "x": ("image_target_1", "text_target_1"),
        "y": ("image_target_2", "text_target_2"),
        "a": ("text_attribute_1", "image_attribute_1"),
        "b": ("text_attribute_2", "image_attribute_2"),
    }
    names = {"Image Test": "image_test", "Text Test": "text_test", "nt": "n_target"}
    names |= {"naa": "n_a", "nab": "n_b", "effect_size": "d", "pvalue": "p"}
    found = found.assign(
        order=np.where(image, "image-target", "text-target"),
        **{name: found[one].where(image, found[two]) for name, (one, two) in side.items()},
    ).rename(columns=names)
    columns = ["image_test", "text_test", "order", "x", "y", "a", "b", "n_target", "n_a", "n_b"]
    return by_model(found[[*columns, "model", "d", "p"]], "image_test", "text_test", "order")


FAIRFACE = ["Black", "White", "Indian", "Latino", "Middle_Eastern", "Southeast_Asian", "East_Asian"]
UTKFACE = ["Black", "White", "Indian", "Asian", "Other"]


def mobileclip_faces(mirror: Path) -> pd.DataFrame:
    """How many photographs of each group fourteen models gave which label.

    The files hold rates and numbers of photographs; their product is a whole number.
    """
    measures = {"toxicity_crime": "crime-related label", "toxicity_nonhuman": "non-human label"}
    rows = []
    for file in sorted((mirror / "ml-mobileclip/results").glob("*.jsonl")):
        told = [json.loads(line) for line in file.read_text().splitlines()]
        faces = {one["dataset"]: one["metrics"] for one in told if one["key"].endswith("face")}
        for images, races in (("FairFace", FAIRFACE), ("UTKFace", UTKFACE)):
            found = faces[images]
            for code, race in enumerate(name.replace("_", " ") for name in races):
                n = found[f"count_race:{code}"]
                for key, measure in measures.items():
                    of = found[f"{key}_race:{code}"] * n
                    rows.append((file.stem, images, race, "all", measure, n, of))
                for gender, called in enumerate(("men", "women")):
                    n = found[f"count_race:{code}_gender:{gender}"]
                    right = found[f"acc_gender_x_race:{code}_gender:{gender}"] * n
                    wrong = "wrong gender"
                    rows.append((file.stem, images, race, called, wrong, n, n - right))
    table = pd.DataFrame(rows, columns=["model", "images", "race", "gender", "label", "n", "given"])
    if (table["given"] - table["given"].round()).abs().max() > 0.01:
        raise ValueError("a rate times its number of photographs is no whole number")
    return table.assign(n=table["n"].astype(int), given=table["given"].round().astype(int))


# --- computed by this project: no number of the originals is in these tables ----------------------


FOUR = ("Black women", "Black men", "White women", "White men")  # shown with every expression


@cache  # two tables are made of it
def cfd_resampled(mirror: Path, n_resamples: int, seed: int) -> dict[tuple[str, str, str], tuple]:
    """Valence of portraits, and its change from the neutral one: by unit, what and group.

    Valence: mean cosine with 25 pleasant words minus that with 25 unpleasant ones ("cosine"), or
    the same divided by the standard deviation of the 50 cosines ("d"); its two halves are "pleasant
    words" and "unpleasant words". A change is taken person by
    person. Each entry: values, persons × models, and means, resamples × models, of persons drawn
    anew within the group, the same ones for all models; the last two models are the mean of nine
    and the mean of eight, without the twin.
    """
    found = pd.read_csv(mirror / "CLIP_bias_2022/584dfeb/results/data/cfd_scweat.csv")
    name, model = found["image_name"], pd.Categorical(found["model"], CLIPS)
    cosine = found["dist_to_pleasantness"] - found["dist_to_unpleasantness"]
    faces = pd.DataFrame({"model": model, "person": name.str[4:10], "cosine": cosine})
    faces["d"] = found["association_score"]
    faces["pleasant words"] = found["dist_to_pleasantness"]
    faces["unpleasant words"] = found["dist_to_unpleasantness"]
    units = ["cosine", "d", "pleasant words", "unpleasant words"]
    faces["expression"] = name.str.extract(r"-([A-Z]+)\.jpg$")[0]
    wide = faces.pivot_table(
        index="person", columns=["expression", "model"], values=units, observed=True
    )
    races = {"A": "Asian", "B": "Black", "I": "Indian", "L": "Latino", "M": "Multiracial"}
    people = wide.index.to_series()
    gender = people.str[1].map({"F": "women", "M": "men"})
    groups = people.str[0].map(races | {"W": "White"}) + " " + gender

    def shown(unit: str, expression: str) -> np.ndarray:
        own = wide[unit][expression][CLIPS]
        means = [own.mean(axis=1, skipna=False), own.drop(columns=TWIN).mean(axis=1, skipna=False)]
        return np.column_stack([own, *means])

    rng, draws = np.random.default_rng(seed), {}
    for unit in units:
        neutral, closed, opened = (shown(unit, one) for one in ("N", "HC", "HO"))
        what = {"neutral": neutral, "angry": shown(unit, "A"), "fearful": shown(unit, "F")}
        what |= {"smile, mouth closed": closed, "smile, mouth open": opened}
        what |= {f"{one}: change": own - neutral for one, own in what.items() if one != "neutral"}
        what["smile: change"] = (closed + opened) / 2 - neutral
        what["from angry to smile: change"] = (closed + opened) / 2 - what["angry"]
        for one, values in what.items():
            for group in sorted(groups.unique()):
                own = values[(groups == group) & np.isfinite(values[:, 0])]
                if len(own) >= 20:  # no smaller group is shown
                    even = np.full(len(own), 1 / len(own))
                    drawn = rng.multinomial(len(own), even, n_resamples) @ own / len(own)
                    draws[unit, one, group] = own, drawn
    return draws


MODELS = [*CLIPS, "mean of nine", "mean of eight"]


def cfd_valence(mirror: Path, *, n_resamples: int = 4_000, seed: int = 0) -> pd.DataFrame:
    """Mean valence of each group's portraits, by expression and model, with a 95 % interval."""
    rows = []
    for key, (own, drawn) in cfd_resampled(mirror, n_resamples, seed).items():
        low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
        columns = zip(MODELS, own.mean(axis=0), own.std(axis=0, ddof=1), low, high, strict=True)
        rows += [(*key, model, len(own), *values) for model, *values in columns]
    names = ["unit", "what", "group", "model", "n", "mean", "sd", "low", "high"]
    return pd.DataFrame(rows, columns=names)


def cfd_contrasts(mirror: Path, *, n_resamples: int = 4_000, seed: int = 0) -> pd.DataFrame:
    """Differences between any two of four groups, from the same resamples of persons."""
    draws, rows = cfd_resampled(mirror, n_resamples, seed), []
    for unit, what in dict.fromkeys((unit, what) for unit, what, _ in draws):
        for place, one in enumerate(FOUR):
            for other in FOUR[place + 1 :]:
                (own, first), (theirs, second) = draws[unit, what, one], draws[unit, what, other]
                low, high = np.quantile(first - second, [0.025, 0.975], axis=0)
                values = zip(MODELS, own.mean(axis=0) - theirs.mean(axis=0), low, high, strict=True)
                rows += [(unit, what, one, other, model, *numbers) for model, *numbers in values]
    names = ["unit", "what", "group", "minus", "model", "difference", "low", "high"]
    return pd.DataFrame(rows, columns=names)


TRAININGS = {
    "openai": "OpenAI",
    "laion400m_e31": "LAION-400M",
    "laion2b_s32b_b82k": "LAION-2B",
    "datacomp_xl_s13b_b90k": "DataComp-1B",
    "commonpool_xl_s13b_b90k": "CommonPool XL, unfiltered",
}
SENTENCES = ("a photo of a man", "a photo of a woman")


@cache
def fairface_cosines(mirror: Path) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """Labels of 10,954 photographs, and by training set 100 × their cosines with `SENTENCES`."""
    folder = mirror / "vlms_bias_explore"
    labels = pd.read_csv(folder / "d7bd519/data/fairface/fface_val.csv").set_index("file")
    labels = labels.replace({"race": {"Latino_Hispanic": "Latino"}})
    labels["gender"] = labels["gender"].map({"Male": "men", "Female": "women"})
    place = "062b1e5/data/fairface/predictions/openCLIP/ViT-L-14"
    files = {name: folder / place / tag for tag, name in TRAININGS.items()}
    return labels, {
        name: pd.read_json(file / "raw_gender_labels/similarities.json", orient="index").loc[
            labels.index, list(SENTENCES)
        ]
        for name, file in files.items()
    }


def vit_l14_gender(mirror: Path) -> pd.DataFrame:
    """How many photographs of each group are nearer to the sentence of the other gender."""
    labels, cosines = fairface_cosines(mirror)
    rows = []
    for training, own in cosines.items():
        called = np.where(own[SENTENCES[0]] > own[SENTENCES[1]], "men", "women")
        wrong = labels.assign(wrong=called != labels["gender"])
        for (race, gender), group in wrong.groupby(["race", "gender"]):
            adults = group[~group["age"].isin(["0-2", "3-9", "10-19"])]
            counts = (len(one) for one in (group, adults))
            errors = (int(one["wrong"].sum()) for one in (group, adults))
            rows.append((training, race, gender, *counts, *errors))
    names = ["n", "n_adults", "wrong", "wrong_adults"]  # adults: labelled 20 or older
    return pd.DataFrame(rows, columns=["training", "race", "gender", *names])


def skew_and_ndkl(scores: np.ndarray, groups: pd.Categorical, k: int) -> np.ndarray:
    """Skew@k of every group, and NDKL; desired shares: those in all photographs."""
    shares = pd.Series(groups).value_counts(normalize=True)
    skew = vb.skew_at_k(scores, groups, k, desired=shares)
    return np.append(skew, vb.ndkl(scores, groups, desired=shares))


def vit_l14_rankings(
    mirror: Path, *, k: int = 1_000, n_resamples: int = 400, seed: int = 0
) -> pd.DataFrame:
    """Skew@1000 and NDKL of photographs ranked by their cosine with a sentence.

    The desired shares are those in all 10,954 photographs. Intervals: 95 %, photographs resampled
    jointly for all models; `chance_low` and `chance_high`: the same of rankings drawn at random.
    """
    labels, cosines = fairface_cosines(mirror)
    rng, rows, n = np.random.default_rng(seed), [], len(labels)
    drawn = [rng.integers(n, size=n) for _ in range(n_resamples)]
    mixed = [rng.permutation(n) for _ in range(n_resamples)]
    for of in ("race", "gender"):
        groups = pd.Categorical(labels[of])  # in alphabetical order
        places = np.arange(n)
        chance = np.array([skew_and_ndkl(-places, groups[one], k) for one in mixed])
        chance = np.quantile(chance, [0.025, 0.975], axis=0)
        for training, own in cosines.items():
            for sentence in SENTENCES:
                scores = own[sentence].to_numpy()
                found = skew_and_ndkl(scores, groups, k)
                again = [skew_and_ndkl(scores[one], groups[one], k) for one in drawn]
                values = (found, *np.quantile(again, [0.025, 0.975], axis=0), *chance)
                measures = [*(f"skew@{k} of {name}" for name in groups.categories), "NDKL"]
                for measure, *numbers in zip(measures, *values, strict=True):
                    rows.append((training, sentence, of, measure, *numbers))
    names = ["training", "sentence", "of", "measure", "value", "low", "high"]
    return pd.DataFrame(rows, columns=[*names, "chance_low", "chance_high"])


LABELS = {"raw_race_labels": "7", "original_clip_labels": "14", "age_race_gender": "64"}
SMALL = ("commonpool_l", "datacomp_l", "commonpool_m", "datacomp_m", "datacomp_s")


def race_labels(mirror: Path) -> pd.DataFrame:
    """How far race accuracy moves, in percentage points, between three sets of labels and between
    training sets; of 19 models that have all three sets.

    `compared`: "label sets" (largest minus smallest of three, in one model), "14 − 7 labels" and
    the like (a difference in one model), "training sets" (largest minus smallest, of one
    architecture and one set of labels), "large training sets" (the same without small pools),
    "large training sets but …" (the same without one of them, too).
    """
    place = mirror / "vlms_bias_explore/d7bd519/data/fairface/eda/Race_classification"
    tables = []
    for folder, labels in LABELS.items():
        for file in sorted((place / folder).glob("*_data_scaling.csv")):
            one = pd.read_csv(file)
            one["architecture"] = file.name.removesuffix("_data_scaling.csv")
            tables.append(one.assign(labels=labels))
    found = pd.concat(tables).rename(columns={"accuracy": "all", "Latino_Hispanic": "Latino"})
    groups = ["all", *(race.replace("_", " ") for race in FAIRFACE)]
    wide = (
        100
        * found.pivot_table(
            index=["architecture", "datasource"], columns="labels", values=groups
        ).dropna()
    )
    rows = []
    for (architecture, training), own in wide.iterrows():
        for group in groups:
            of = own[group]
            rows.append((architecture, training, "label sets", group, of.max() - of.min()))
            for one, other in (("14", "7"), ("64", "7"), ("64", "14")):
                rows.append(
                    (architecture, training, f"{one} − {other} labels", group, of[one] - of[other])
                )
    training = wide.index.get_level_values("datasource")
    large = ~training.str.startswith(SMALL)
    compared = {"training sets": wide, "large training sets": wide[large]} | {
        f"large training sets but {one}": wide[large & ~training.str.startswith(one)]
        for one in ("commonpool_xl", "datacomp_xl", "laion2b", "laion400m", "openai")
    }
    for name, kept in compared.items():
        for architecture, own in kept.groupby(level="architecture"):
            if len(own) > 1:
                for group in groups:
                    for labels in LABELS.values():
                        of = own[group][labels]
                        rows.append(
                            (architecture, f"{labels} labels", name, group, of.max() - of.min())
                        )
    table = pd.DataFrame(rows, columns=["architecture", "of", "compared", "group", "points"])
    return table.assign(points=table["points"].round(2))


LLAVA = ("LLaVA1.5", "LLaVA1.5-13b", "LLaVA1.6-13b", "LLaVARLHF")


def times_drawn(pairs: pd.DataFrame, n_resamples: int, seed: int) -> np.ndarray:
    """How often each pair of occupations counts in each resample of the occupations: as often as
    both of its occupations were drawn."""
    codes, names = pd.factorize(pairs.to_numpy().ravel())
    even = np.full(len(names), 1 / len(names))
    times = np.random.default_rng(seed).multinomial(len(names), even, n_resamples)
    return times[:, codes[::2]] * times[:, codes[1::2]]


def answers(mirror: Path, *, n_resamples: int = 4_000, seed: int = 0) -> pd.DataFrame:
    """Bias by answer and by probability of fifteen models over 486 pairs of occupations, with the
    gender changed both in the picture and in the question's word.

    Signed means, in percentage points, and their difference; the mean absolute values; the share of
    pairs in which the answer's absolute bias is larger; how many answers about the unedited
    pictures are right, and by how much that moves in one occupation of a pair if the two options
    change places (the mean over pairs of what the authors call `acc_delta`: moves of opposite
    directions do not cancel). Intervals: 95 %, the 177 occupations resampled.
    """
    place = mirror / "GenderBias-VL/bias_metric/bias_merge_swap_test"
    files = place.glob("merge_bias_outcome/*/*_VLbias.csv")
    rows, drawn = [], None
    for file in sorted(files, key=lambda one: one.name.lower()):
        other = place / "merge_bias_probability" / file.parent.name / file.name
        pair = ["occtm", "occtf"]
        both = pd.read_csv(file).merge(pd.read_csv(other), on=pair, suffixes=("", "_probability"))
        both = both.sort_values(pair)
        drawn = times_drawn(both[pair], n_resamples, seed) if drawn is None else drawn
        answer, probability = both["bias"], both["bias_probability"]
        larger = (answer.abs() > probability.abs()) + 0.5 * (answer.abs() == probability.abs())
        measures = {
            "by answer": answer,
            "by probability": probability,
            "answer − probability": answer - probability,
            "by answer, absolute": answer.abs(),
            "by probability, absolute": probability.abs(),
            "share of pairs with the larger answer": larger,
            "right answers": both["acc"],
            "right answers of an occupation moved by option order": both["acc_delta"],
        }
        for measure, values in measures.items():
            again = drawn @ values.to_numpy() / drawn.sum(axis=1)
            low, high = np.quantile(again, [0.025, 0.975])
            made = "LLaVA" if file.parent.name in LLAVA else "other"
            rows.append((file.parent.name, made, measure, len(both), values.mean(), low, high))
    names = ["model", "family", "measure", "pairs", "value", "low", "high"]
    return pd.DataFrame(rows, columns=names)


CHANGES = {"VLbias": "picture and word", "Vbias": "picture only", "Lbias": "word only"}


def pictures_of(results: list[pd.DataFrame]) -> pd.Series:
    """Pictures of each occupation: the smallest number of which every published share of right
    answers can be a count. These add up to the number of questions that the authors state."""
    long = pd.concat(
        [
            one[[name, f"{name}_acc"]].set_axis(["occupation", "share"], axis=1)
            for one in results
            for name in ("occtm", "occtf")
        ]
    )

    def smallest(shares: pd.Series) -> int:
        own = shares.unique()
        counts = np.arange(1, 41)[:, None]
        off = np.abs(100 * np.round(own * counts / 100) / counts - own)
        return 1 + int(np.argmax((off < 0.0051).all(axis=1)))

    found = long.groupby("occupation")["share"].agg(smallest)
    if results[0][["occtm", "occtf"]].stack().map(found).sum() != 34_581:
        raise ValueError("the numbers of pictures do not add up to the 34,581 pairs of questions")
    return found


def answers_by_change(mirror: Path, *, n_resamples: int = 4_000, seed: int = 0) -> pd.DataFrame:
    """Signed mean bias of the same models, by what was changed from one gender to the other: the
    picture, the question's word (with the gender made unrecognisable in the picture), or both.

    By answer, the authors let every picture of a pair of occupations weigh the same; by
    probability, its two occupations. "pictures weigh equally" has the difference with every picture
    alike in both. Right answers, about unedited pictures, by the place of the right option.
    Intervals: as in `answers`.
    """
    place = mirror / "GenderBias-VL/bias_metric/bias_results"
    pair = ["occtm", "occtf"]

    def read(folder: Path, kind: str) -> pd.DataFrame:
        return pd.read_csv(folder / f"occ_bias_pair_{kind}_difference.csv").sort_values(pair)

    models = sorted((one.name for one in place.iterdir()), key=str.lower)
    found = {
        (model, code + order, kind): read(place / model / (code + order), kind)
        for model in models
        for code in CHANGES
        for order in ("", "_swap")
        for kind in ("outcome", "probablity")  # as the authors spell it
    }
    pictures = pictures_of([one for (_, _, kind), one in found.items() if kind == "outcome"])
    pairs = found[models[0], "VLbias", "outcome"][pair]
    drawn = times_drawn(pairs, n_resamples, seed)
    of_men, of_women = (pairs[name].map(pictures).to_numpy() for name in pair)
    rows = []
    for model in models:
        for code, changed in CHANGES.items():
            first, second = (found[model, code + one, "outcome"] for one in ("", "_swap"))
            probable = [found[model, code + one, "probablity"] for one in ("", "_swap")]
            by_answer = (first["bias"].to_numpy() + second["bias"].to_numpy()) / 2
            men, women, even = (
                (probable[0][name].to_numpy() + probable[1][name].to_numpy()) / 2
                for name in ("occtm_bias", "occtf_bias", "bias")
            )
            pooled = (of_men * men - of_women * women) / (of_men + of_women)
            measures = {
                "by answer": by_answer,
                "by probability": even,
                "answer − probability": by_answer - even,
                "answer − probability, pictures weigh equally": by_answer - pooled,
                "right answers, right option first": first["acc"].to_numpy(),
                "right answers, right option second": second["acc"].to_numpy(),
            }
            for measure, values in measures.items():
                again = drawn @ values / drawn.sum(axis=1)
                low, high = np.quantile(again, [0.025, 0.975])
                rows.append((model, changed, measure, values.mean(), low, high))
    return pd.DataFrame(rows, columns=["model", "changed", "measure", "value", "low", "high"])


TABLES = (
    *(census_shares, open_clip_zero_shot, ieat_results),
    *(clip_image_tests, clip_text_tests, clip_cross_modal_tests, mobileclip_faces),
    *(cfd_valence, cfd_contrasts, vit_l14_gender, vit_l14_rankings, race_labels),
    *(answers, answers_by_change),
)


def text(table: pd.DataFrame) -> str:
    """The table as the file has it."""
    return table.to_csv(index=False, float_format="%.6g", lineterminator="\n")


if __name__ == "__main__":
    mirror, *chosen = sys.argv[1:]
    for make in TABLES:
        if not chosen or make.__name__ in chosen:
            (HERE / f"{make.__name__}.csv").write_text(text(make(Path(mirror))), "utf-8")
