"""A table of effect sizes in the layout of the released file, so that what reads that file can be
tried without it."""

import numpy as np
import pandas as pd
from scipy import stats
from scipy.special import comb

from vlmbias.external.study_table import CATEGORIES, ORDERS, SIMULATED


def write(table, path):
    """Write a table as of `twin.generate` in the released file's own columns, which
    `vlmbias.external.study_table` reads.

    p is that of labels assigned at random, one-sided, by the normal approximation, and before the
    sign of d is turned for gender, as released. What is not known of a model is left empty.
    """
    pictures = table["order"].isin(["all-image", "text-target"])
    sign, n = np.where(table["category"] == "gender", -1, 1), table["n_x"]
    new = table["stimuli"].str.endswith("nrc-oasis")
    attributes = np.where(pictures, np.where(new, 25, 55), np.where(new, 150, 215))
    category = table["category"].map({ours: theirs for theirs, ours in CATEGORIES.items()})
    own = category.str.partition("/")[0]
    own = own.where(own != "Insect-Flower", "Flower-Insect")
    first, second = own.str.split("-").str[0], own.str.split("-").str[-1]
    released = pd.DataFrame(
        {
            "Image Test": category,
            "Text Test": table["text_file"].str.removesuffix(".jsonl").str.upper(),
            "image_target_dir": SIMULATED,
            "image_target_1": first,
            "image_target_2": second,
            "image_attribute_dir": SIMULATED,
            "image_attribute_1": "Pleasant",
            "image_attribute_2": "Unpleasant",
            "text_file": table["text_file"],
            "text_target_1": first,
            "text_target_2": second,
            "text_attribute_1": "Pleasant",
            "text_attribute_2": "Unpleasant",
            "order": table["order"].map({ours: theirs for theirs, ours in ORDERS.items()}),
            "nt": n,
            "naa": attributes,
            "nab": attributes,
            "model": table["model"],
            "pvalue": stats.norm.sf(sign * table["effect_size"] / np.sqrt(2 / n)),
            "effect_size": table["effect_size"],
            "npermutations": np.minimum(1e6, comb(2 * n, n)).astype(int),
            "architecture": table["architecture_name"],
            "other_info": SIMULATED,
            "vision_model_family": table["architecture_name"].str.split("-").str[0],
            "pretraining_dataset": table["dataset_name"],
            "pretraining_samples_seen": np.nan,
            "model_name": table["model"],
            "epochs": np.nan,
            "samples_per_epoch": np.nan,
            "fine_tuned": False,
            "params": 1e6 * table["parameters"],
            "flops": np.nan,
            "pretraining_dataset_size": 1e6 * table["dataset_size"],
            "model_source": table["origin"],
            "vtab": np.nan,
            "vtab+": table["performance"],
            **dict.fromkeys(
                [
                    "race_maxskew_eq_opp",
                    "race_ndkl_eq_opp",
                    "gender_maxskew_eq_opp",
                    "gender_ndkl_eq_opp",
                    "total_flops",
                ],
                np.nan,
            ),
            "log_dataset_size": np.log(1e6 * table["dataset_size"]),
            "log_params": np.log(1e6 * table["parameters"]),
        }
    )
    released.to_csv(path)
