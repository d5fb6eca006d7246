"""open_clip and diffusers without what they import in vain: in a process of its own, where
nothing is imported yet."""

import subprocess
import sys

import pytest
from installed import needs


def python(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_nothing_is_imported_in_vain_and_all_is_there_for_those_who_ask():
    python("""
import sys, vlmbias as vb
vb.encoder("greenhouse", device="cpu")
assert "open_clip" in sys.modules
assert not {"timm", "torchvision", "torchvision.models", "torch._dynamo"} & set(sys.modules)
import torchvision
assert torchvision.transforms.Compose and torchvision.models.resnet18
assert torchvision.ops.misc.FrozenBatchNorm2d
large = vb.encoder("vit_medium_patch16_gap_256/random", device="cpu")  # an architecture of timm's
assert "timm" in sys.modules and large.encode_texts(["a photo"]).shape == (1, large.dimension)
""")


def test_what_was_imported_before_stays():
    python("""
import sys
from vlmbias.embedding.torchvision_shim import import_open_clip, make_torchvision_importable
first = make_torchvision_importable()
import torchvision
assert make_torchvision_importable() == first
from torchvision import transforms
transforms.Resize(4)
import_open_clip()
assert sys.modules["torchvision"] is torchvision and "torchvision.models" in sys.modules
""")


@needs("diffusers")
def test_the_painters_class_comes_without_the_rest_of_diffusers():
    python("""
import sys
from vlmbias.generation.diffusers_shim import vq_model
ours = vq_model()
assert not {"diffusers", "transformers", "torchvision", "torch._dynamo"} & set(sys.modules)
assert vq_model() is ours
import torchvision, torch._dynamo
assert torchvision.models.resnet18
""")


@pytest.mark.long
@needs("diffusers")
def test_the_painters_class_is_that_of_the_whole_of_diffusers():
    python("""
from vlmbias.generation.diffusers_shim import vq_model
ours = vq_model()
from diffusers import VQModel
import inspect, torch
assert inspect.getsource(ours) == inspect.getsource(VQModel)
both = []
for made in (ours, VQModel):
    torch.manual_seed(0)
    both.append(made(block_out_channels=(32,)).eval())
pictures = torch.randn(2, 3, 16, 16)
with torch.inference_mode():
    one, other = (model(pictures).sample for model in both)
assert torch.equal(one, other) and both[0].state_dict().keys() == both[1].state_dict().keys()
""")


@pytest.mark.long
@needs("diffusers")
def test_a_diffusers_that_was_imported_before_is_used():
    python("""
from vlmbias.embedding.torchvision_shim import make_torchvision_importable
make_torchvision_importable()
from diffusers import VQModel
from vlmbias.generation.diffusers_shim import vq_model
assert vq_model() is VQModel
""")
