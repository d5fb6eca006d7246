"""A GPU for tests on machines without one: tensors stay on the CPU, but know that they are "on
CUDA" and meet only their like, as on the real one."""

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_leaves, tree_map

CUDA = torch.device("cuda")
# what takes tensors of both places on a real GPU, too
_BOTH = {
    "to",
    "__getitem__",
    "__setitem__",
    "copy_",
    "__set__",
    "_has_compatible_shallow_copy_type",
}


def on_cuda(tensor: torch.Tensor) -> bool:
    """Whether a tensor is on the GPU that is not there."""
    return getattr(tensor, "on_cuda", False)


class FakeCuda(TorchFunctionMode):
    """While it is entered, `torch.cuda.is_available()` is True and `device="cuda"` works.

    A function that is given tensors of both places, or `numpy` of one on the GPU, is an error.
    Single numbers are at home in both.
    """

    def __enter__(self):
        self._before = torch.cuda.is_available, torch.accelerator.current_accelerator
        torch.cuda.is_available = lambda: True
        # a PyTorch built for CUDA asks the driver about graphs that its optimisers may be part of
        torch.accelerator.current_accelerator = lambda check_available=False: None
        return super().__enter__()

    def __exit__(self, *problem):
        torch.cuda.is_available, torch.accelerator.current_accelerator = self._before
        return super().__exit__(*problem)

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs, name = kwargs or {}, getattr(function, "__name__", "")
        if name in ("device", "_parse_to"):  # a place alone, and what `Module.to` is asked for
            return function(*args, **kwargs)
        given = [one for one in tree_leaves((args, kwargs)) if isinstance(one, torch.Tensor)]
        there = any(map(on_cuda, given))
        if function == torch.Tensor.device.__get__:
            return CUDA if there else function(*args)
        if there and name == "numpy":
            raise TypeError("can't convert a tensor on CUDA to numpy")
        if there and name not in _BOTH and not all(on_cuda(one) or not one.ndim for one in given):
            raise RuntimeError(f"{name}: tensors on CUDA and on the CPU")
        asked = [place for one in tree_leaves((args, kwargs)) if (place := _place(one))]
        if name == "cpu":
            asked = [torch.device("cpu")]
        elif name == "copy_":
            there = on_cuda(args[0])
        elif name == "__set__" and isinstance(args[1], torch.Tensor):  # of `data`, or `grad`
            there = on_cuda(args[1])
        elif name == "to" and len(given) > 1:  # where another one is
            asked = [CUDA if on_cuda(given[1]) else torch.device("cpu")]
        if asked:
            there = asked[0].type == "cuda"
        found = function(*tree_map(_here, tuple(args)), **tree_map(_here, dict(kwargs)))
        if asked:  # a transfer gives another tensor
            found = tree_map(lambda one: one.clone() if _is(one, given) else one, found)
        for one in [args[0]] if name == "__set__" else tree_leaves(found):
            if isinstance(one, torch.Tensor):
                one.on_cuda = there
        return found


def _is(one, given):
    return any(one is other for other in given)


def _place(one):
    """The device that an argument names, or None."""
    if isinstance(one, torch.device):
        return one
    return torch.device(one) if isinstance(one, str) and one.startswith(("cuda", "cpu")) else None


def _here(one):
    return torch.device("cpu") if _place(one) else one
