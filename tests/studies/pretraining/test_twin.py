"""The simulated twin has what is printed, and nobody can take it for the released table."""

import numpy as np
import pandas as pd
import pytest

import vlmbias as vb
from studies.calibration import ieat
from studies.pretraining import downstream, effect_sizes, twin, upstream
from vlmbias.external import facts
from vlmbias.external.study_table import COLUMNS

CLAIMS = vb.ledger.load("pretraining")
CELLS = effect_sizes.cells(CLAIMS)
R = downstream.printed(CLAIMS)["r"].to_dict()


@pytest.fixture(scope="module")
def table():
    return twin.generate(CELLS, R, seed=3)


def test_models_and_families_are_counted_as_the_authors_notebook_counts_rows(table):
    rows = CLAIMS[CLAIMS["id"].str.startswith("model_zoo.rows.")]
    printed = rows.set_index("subject")["value"].astype(int)
    families = pd.concat([table["architecture"], table["dataset"]]).value_counts()
    assert families.to_dict() == printed.to_dict()
    assert (table["architecture_name"].nunique(), table["dataset_name"].nunique()) == (55, 26)
    assert (len(table), table["model"].nunique(), table["test"].nunique()) == (3406, 131, 26)
    assert not table.duplicated(["model", "test"]).any()
    assert list(table)[:14] == list(COLUMNS)


def test_parameters_are_those_that_open_clip_publishes():
    published = facts.table("open_clip_zero_shot").set_index("architecture")["parameters"]
    own = twin.models().set_index("architecture_name")["parameters"]
    assert own.to_dict() == published[~published.index.duplicated()][own.index.unique()].to_dict()


@pytest.mark.parametrize("stimuli", ["new", "old"])
def test_every_cell_has_its_printed_mean_sd_and_correlation(stimuli):
    found = twin.generate(CELLS, R, stimuli=stimuli, seed=1, shared=0.3)
    for row in CELLS[CELLS["stimuli"] == stimuli].itertuples():
        own = found[(found["category"] == row.category) & (found["order"] == row.order)]
        d = own["effect_size"].to_numpy()
        r = np.corrcoef(d, own["performance"])[0, 1]
        assert len(d) == row.n
        assert [d.mean(), d.std(ddof=1), r] == pytest.approx(
            [row.mean, row.sd, R[row.category, row.order]], abs=1e-9
        )
        assert (np.abs(d) <= ieat.ceiling(own["n_x"].iloc[0])).sum() >= 131


def test_no_effect_size_exceeds_the_largest_that_its_items_allow(table):
    assert (table["effect_size"].abs() <= [ieat.ceiling(n) for n in table["n_x"]]).all()


def test_a_regression_over_all_rows_gives_the_printed_coefficients(table):
    def standardised(values):
        logs = np.log(values)
        return (logs - logs.mean()) / logs.std(ddof=0)

    families = pd.get_dummies(table[["architecture", "dataset"]], dtype=float)
    predictors = families.drop(columns=["architecture_CoCa Models", "dataset_cc12m"]).assign(
        one=1.0,
        log_params=standardised(table["parameters"]),
        log_dataset_size=standardised(table["dataset_size"]),
    )
    found = np.linalg.lstsq(predictors.to_numpy(), table["effect_size"].to_numpy(), rcond=None)[0]
    by_name = dict(zip(predictors, found, strict=True))
    printed = upstream.printed(CLAIMS)["coef"].drop("intercept")
    wanted = {}
    for name in predictors.drop(columns="one"):
        factor, _, family = name.partition("_")
        named = family and factor in upstream.FACTORS
        wanted[name] = printed[upstream.claim_of(f"{factor}[{family}]" if named else name)]
    assert len(wanted) == 18
    assert {name: by_name[name] for name in wanted} == pytest.approx(wanted, abs=0.0011)


def test_results_that_no_table_can_have_are_refused(monkeypatch):
    with pytest.raises(ValueError, match="from 0 to 1, got 2"):
        twin.generate(CELLS, R, shared=2)
    with pytest.raises(
        ValueError, match=r"ask for a performance that no family could have; .* slope of 0\.9"
    ):
        twin.generate(CELLS.assign(sd=1.0), dict.fromkeys(R, 0.9))
    monkeypatch.setattr(twin, "_ROUNDS", 30)
    with pytest.raises(ValueError, match=r"no table has these .* \(after 30 rounds\)"):
        twin.generate(CELLS.assign(mean=1.95), R)


def test_beyond_families_and_size_performance_has_on_average_nothing_to_do_with_d(table):
    about, values = downstream.by_model(table)
    tests = (
        table[["category", "order", "test"]].drop_duplicates().value_counts(["category", "order"])
    )
    mean = values.mul(tests.loc[list(values)].to_numpy()).sum(axis=1) / 26
    held = downstream._columns(about, ["architecture", "dataset", "log_params", "log_dataset_size"])
    ((r,),) = downstream.r_given(
        mean.to_numpy()[:, None], about["performance"], held, np.ones((1, 131))
    )
    assert abs(r) < 0.05
    assert table["performance"].between(0, 1).all()


def test_it_never_passes_for_measured(table):
    assert table["model"].str.startswith("simulated-").all()
