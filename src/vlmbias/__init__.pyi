# The public names of the package, by the module that has them: for editors, for type checkers, and
# for `__init__.py`, which loads each on first use. A new public name is one line here.
from vlmbias import figures as figures
from vlmbias import ledger as ledger
from vlmbias import papers as papers
from vlmbias import sources as sources
from vlmbias.embedding import Embeddings as Embeddings
from vlmbias.embedding import embed as embed
from vlmbias.embedding import encoder as encoder
from vlmbias.generation import answerer as answerer
from vlmbias.generation import captioner as captioner
from vlmbias.inference import cluster_weights as cluster_weights
from vlmbias.inference import clustered as clustered
from vlmbias.inference import correlations as correlations
from vlmbias.inference import mixed_models as mixed_models
from vlmbias.inference import networks as networks
from vlmbias.inference import weighted_medians as weighted_medians
from vlmbias.measures import AssociationTest as AssociationTest
from vlmbias.measures import Perception as Perception
from vlmbias.measures import association_scores as association_scores
from vlmbias.measures import cosines as cosines
from vlmbias.measures import delta_cos as delta_cos
from vlmbias.measures import eat as eat
from vlmbias.measures import effect_size as effect_size
from vlmbias.measures import markedness as markedness
from vlmbias.measures import max_skew_at_k as max_skew_at_k
from vlmbias.measures import ndkl as ndkl
from vlmbias.measures import one_apart as one_apart
from vlmbias.measures import quadratics as quadratics
from vlmbias.measures import rankings as rankings
from vlmbias.measures import sc_eat as sc_eat
from vlmbias.measures import skew_at_k as skew_at_k
from vlmbias.measures import trajectories as trajectories
from vlmbias.notes import holds as holds
from vlmbias.notes import note as note
from vlmbias.pipeline import perceive as perceive
from vlmbias.stimuli.images import images as images
from vlmbias.stimuli.imageset import ImageSet as ImageSet
from vlmbias.stimuli.prompts import PromptSet as PromptSet
from vlmbias.stimuli.prompts import prompts as prompts

__version__: str
