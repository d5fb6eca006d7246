"""open_clip without what it imports in vain: in a process of its own, where nothing is imported
yet."""

import subprocess
import sys

CODE = """
import sys, vlmbias as vb
from vlmbias.embedding.torchvision_shim import give_to_open_clip
vb.encoder("greenhouse", device="cpu")
assert "open_clip" in sys.modules
assert not {"timm", "torchvision", "torchvision.models", "torch._dynamo"} & set(sys.modules)
import torchvision
assert torchvision.transforms.Compose and torchvision.models.resnet18
assert torchvision.ops.misc.FrozenBatchNorm2d
give_to_open_clip("timm")
assert sys.modules["open_clip.timm_model"].TimmModel("test_vit", 16)
"""


def test_nothing_is_imported_in_vain_and_all_is_there_for_those_who_ask():
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
