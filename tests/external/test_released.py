"""The released cosine tables: written in their layout and read back, the perception is the same."""

import warnings

import exports
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import vlmbias as vb
from vlmbias.external import released_cosines
from vlmbias.measures import Perception

WORDS = exports.WORDS
WHO = {
    "causalface": ["seed", "race", "gender", "age", "smiling", "lighting", "pose", "subset"],
    "fairface": ["race", "gender", "years", "age_bin"],
    "utkface": ["race", "gender", "years"],
}


def perceptions(name, n, **filters):
    """Made-up cosines of real rows: what is tested is where each number goes."""
    images = vb.images(f"greenhouse/{name}", **filters)
    images = images.where(np.arange(len(images)) < n)
    rng, found = np.random.default_rng(5), {}
    for words in WORDS:
        table = (
            vb.prompts(words)
            .table[["dimension", "word", "neutral"]]
            .drop_duplicates(ignore_index=True)
        )
        for word in table["word"]:
            found.setdefault(word, rng.uniform(0.15, 0.35, n))
        cosines = np.stack([found[word] for word in table["word"]], axis=1)
        yield Perception(images.table, table, cosines, model="greenhouse")


@pytest.fixture(scope="module")
def seen():
    return {
        "causalface": list(perceptions("causalface", 360, seed=[3, 4])),
        "fairface": list(perceptions("fairface/all", 90)),
        "utkface": list(perceptions("utkface/all", 90)),
    }


@pytest.fixture(scope="module")
def folder(seen, tmp_path_factory):
    return exports.cosines(tmp_path_factory.mktemp("released") / "results/clip_vit_b_32", seen)


@pytest.mark.parametrize(
    ("name", "words"),
    [("causalface", WORDS[0]), ("fairface/all", WORDS[1]), ("utkface/all", WORDS[-1])],
)
def test_cosines_come_back_as_the_same_perception(seen, folder, name, words):
    kind = name.split("/")[0]
    before, after = seen[kind][WORDS.index(words)], released_cosines.read(folder, name, words)
    assert len(after) == len(before) and after.words.astype(str).equals(before.words.astype(str))

    # the same images with the same numbers, whatever their order
    def bag(perception):
        frame = pd.concat(
            [perception.table[WHO[kind]], pd.DataFrame(perception.cosines).round(9)], axis=1
        )
        return frame.sort_values(list(frame), ignore_index=True)

    pd.testing.assert_frame_equal(bag(after), bag(before), check_dtype=False, atol=1e-6)
    assert (after.source, after.stimuli, after.model) == (
        "greenhouse",
        f"greenhouse/{name}",
        "greenhouse",
    )


@pytest.mark.parametrize("name", ["fairface", "utkface"])
def test_of_photographs_the_papers_subset_is_kept(seen, folder, name):
    table = seen[name][0].table
    after = released_cosines.read(folder, name, WORDS[0]).table
    assert len(after) == ((table["years"] >= 20) & (table["race"] != "lime")).sum() < len(table)
    assert after["years"].min() >= 20 and "lime" not in set(after["race"])


def real(folder, tmp_path):
    """The same tables without any mark: as if they were the authors'."""
    (tmp_path / "t").mkdir()
    for path in folder.glob("*.csv"):
        table = pd.read_csv(path, dtype=str, keep_default_na=False).drop(columns="made_from")
        table.to_csv(tmp_path / "t" / path.name, index=False)
    return tmp_path / "t"


def test_without_a_mark_they_are_real_and_counted(folder, tmp_path):
    with pytest.warns(
        UserWarning, match=r"cosines of 360 images of causalface; the paper used 18,000"
    ):
        after = released_cosines.read(real(folder, tmp_path), "causalface", "labels")
    assert (
        set(after.table["race"]) == {"white", "black", "asian"}
        and after.stimuli == after.source == "causalface"
    )
    assert (
        after.model == released_cosines.MODEL and after.images is None and after.logit_scale is None
    )
    assert set(after.table["copies"]) == {1, 4} and after.table["copies"].sum() == 2 * 6 * 33


def test_a_prototype_with_other_cosines_stays_open(folder, tmp_path):
    place = real(folder, tmp_path)
    for words in ("scm", "abc", "control"):
        table = pd.read_csv(place / f"causalface_age_cossim_{words}_t2.csv")
        columns = [name for name in table if name.startswith("cossim_")]
        table[columns] += 1e-3
        table.to_csv(place / f"causalface_age_cossim_{words}_t2.csv", index=False)
    with pytest.warns(UserWarning, match="of 372 images"):
        table = released_cosines.read(place, "causalface", "labels").table
    assert table.loc[table["subset"] == "prototype", "age"].isna().all()
    assert len(table[table["subset"] == "age"]) == 2 * 6 * 10


def abc(change):
    """Change one of the tables."""

    def changed(at):
        path = at / "utkface_cossim_abc_t2.csv"
        change(pd.read_csv(path)).to_csv(path, index=False)

    return changed


def rename(at):
    for path in at.glob("utkface*"):
        table = pd.read_csv(path)
        names = [f"x{row}.jpg" for row in range(len(table))]
        table.assign(img_path=names).to_csv(path, index=False)


@pytest.mark.parametrize(
    ("change", "words", "message"),
    [
        (lambda at: None, "social_perception", "have no cossim_likeable, which .* need"),
        (abc(lambda t: t[["cossim_modern"]]), WORDS[0], "no header with img_path"),
        (abc(lambda t: t.iloc[1:]), WORDS[0], "must list each image once, the same ones"),
        (abc(lambda t: pd.concat([t, t[:1]])), WORDS[0], "an image is listed twice"),
        (abc(lambda t: t.assign(cossim_modern=-7)), WORDS[0], "cossim_modern .* no cosine"),
        (rename, WORDS[0], r"90 rows of utkface do not say what .*, such as x\d+\.jpg"),
    ],
)
def test_what_is_wrong_is_one_clear_error(folder, tmp_path, change, words, message):
    place = real(folder, tmp_path)
    change(place)
    with pytest.raises(ValueError, match=message):
        released_cosines.read(place, "utkface", words)


def test_an_unknown_set_or_folder(folder, tmp_path):
    with pytest.raises(ValueError, match=r"'cfd'.*there are causalface, fairface"):
        released_cosines.read(folder, "cfd", WORDS[0])
    with pytest.raises(FileNotFoundError, match="no folder of 'causalface-cosines'"):
        released_cosines.read(tmp_path / "nowhere", "causalface", WORDS[0])


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    content=st.binary(max_size=80)
    | st.text(alphabet='img_path,cosim_<blank>01.\n"', max_size=80).map(str.encode)
)
def test_any_bytes_are_a_table_or_one_clear_error(tmp_path, content):
    for words in ("scm", "abc", "control"):
        (tmp_path / f"utkface_cossim_{words}_t2.csv").write_bytes(content)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(ValueError, match=r"utkface"):
            released_cosines.read(tmp_path, "utkface", "labels")
