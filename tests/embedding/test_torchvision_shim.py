"""open_clip without what it imports in vain: in a process of its own, where nothing is imported
yet."""

import subprocess
import sys


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
make_torchvision_importable()
import torchvision
make_torchvision_importable()
from torchvision import transforms
transforms.Resize(4)
import_open_clip()
assert sys.modules["torchvision"] is torchvision and "torchvision.models" in sys.modules
""")
