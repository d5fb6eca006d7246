"""Every kind of image a person may have, against what it must look like; and what only looks like
one."""

import os
import stat
from io import BytesIO

import numpy as np
import pytest
from PIL import Image, ImageFile

from vlmbias.stimuli.decoding import UndecodableImage, decode, read, unreadable

RAMP = np.linspace(0, 255, 64).astype(np.uint8).reshape(8, 8)
COLOUR = np.stack([RAMP, RAMP[::-1], np.full((8, 8), 90, np.uint8)], axis=-1)


def saved(folder, image, name, **options):
    path = folder / name
    image.save(path, **options)
    return path


def test_grey_and_one_bit(tmp_path):
    grey = decode(saved(tmp_path, Image.fromarray(RAMP), "grey.png"))
    assert grey.mode == "RGB" and np.array_equal(np.asarray(grey), np.stack([RAMP] * 3, axis=-1))
    bits = Image.fromarray(RAMP > 100).convert("1")
    assert set(np.unique(decode(saved(tmp_path, bits, "bits.png")))) == {0, 255}


def test_cmyk_is_converted_not_inverted(tmp_path):
    cyan = Image.new("CMYK", (16, 16), (255, 0, 0, 0))
    red, green, blue = (
        np.asarray(decode(saved(tmp_path, cyan, "c.jpg", quality=95))).reshape(-1, 3).mean(axis=0)
    )
    assert red < 10 and green > 245 and blue > 245


def test_transparent_pixels_lie_on_white_and_half_transparent_ones_are_mixed_with_it(tmp_path):
    clear = Image.new("LA", (4, 4), 0)  # black
    assert (np.asarray(decode(saved(tmp_path, clear, "t.png"))) == 255).all()
    half = Image.new("RGBA", (4, 4), (200, 0, 0, 128))
    expected = np.array([200, 0, 0]) * 128 / 255 + 255 * 127 / 255
    assert np.abs(np.asarray(decode(saved(tmp_path, half, "t.png")))[0, 0] - expected).max() <= 1


def test_16_bit_grey_is_scaled_not_clipped(tmp_path):
    deep = Image.fromarray(RAMP.astype(np.uint16) * 257)
    assert deep.mode.startswith("I;16")
    assert np.array_equal(np.asarray(decode(saved(tmp_path, deep, "d.png")))[..., 0], RAMP)


@pytest.mark.parametrize("top", [1.0, 255.0, 65535.0])
def test_float_images_are_read_on_their_own_scale(tmp_path, top):
    image = Image.fromarray((RAMP / 255 * top).astype(np.float32))
    assert np.array_equal(np.asarray(decode(saved(tmp_path, image, "f.tif")))[..., 0], RAMP)


def test_the_rotation_tag_is_applied(tmp_path):
    wide = Image.fromarray(np.repeat(COLOUR, 2, axis=1))
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was turned: show it a quarter turn clockwise
    shown = np.asarray(decode(saved(tmp_path, wide, "r.png", exif=exif)))
    assert np.array_equal(shown, np.rot90(np.asarray(wide), k=-1))


def test_an_animation_shows_its_first_frame(tmp_path):
    frames = [Image.new("RGB", (4, 4), colour) for colour in ("red", "blue")]
    path = saved(tmp_path, frames[0], "m.gif", save_all=True, append_images=frames[1:])
    assert np.asarray(decode(path))[0, 0].tolist() == [255, 0, 0]


def test_only_an_absurd_size_is_refused_before_it_is_decoded(tmp_path, monkeypatch):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 10)  # PIL alone would refuse 64 pixels
    file = saved(tmp_path, Image.fromarray(COLOUR), "h.png")
    assert decode(file).size == (8, 8) and Image.MAX_IMAGE_PIXELS == 10
    monkeypatch.setattr("vlmbias.stimuli.decoding.MAX_PIXELS", 50)
    with pytest.raises(UndecodableImage, match=r"8 × 8 pixels is above the limit of 50"):
        decode(file)


# Files that a stranger made


def test_no_file_starts_a_program(tmp_path, monkeypatch):
    """PIL hands PostScript to `gs`; here a `gs` that notes that it ran."""
    program = tmp_path / "bin" / "gs"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setattr("PIL.EpsImagePlugin.gs_binary", None)  # PIL looks once
    path = tmp_path / "x.jpg"
    path.write_bytes(
        b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\nshowpage\n%%EOF\n"
    )
    with pytest.raises(UndecodableImage, match="none that can be read"):
        decode(path)
    assert not (tmp_path / "ran").exists()


NOISE = Image.fromarray(np.random.default_rng(0).integers(0, 255, (96, 96, 3)).astype(np.uint8))


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("JPEG", {}),
        ("JPEG", {"progressive": True}),
        ("PNG", {}),
        ("GIF", {}),
        ("WEBP", {}),
        ("JPEG2000", {}),
        ("AVIF", {}),
        ("TIFF", {"compression": "tiff_lzw"}),
        ("TIFF", {"compression": "tiff_deflate"}),
    ],
)
def test_a_file_that_was_cut_short_is_an_error_in_each_format(kind, options):
    """As public reports have it: a JPEG 2000 cut to 97 % was black; a copy that a full disk ended
    had its size, and zeros at its end."""
    file = BytesIO()
    NOISE.save(file, format=kind, **options)
    whole = file.getvalue()
    assert decode("a", whole).size == NOISE.size
    for share in (0.97, 0.5):
        kept = whole[: int(share * len(whole))]
        for tail in (b"", bytes(len(whole) - len(kept))):
            with pytest.raises(UndecodableImage):
                decode("a", kept + tail)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "JPEG2000"])
def test_a_cut_in_the_usual_formats_is_seen_without_decoding(tmp_path, kind, monkeypatch):
    NOISE.save(tmp_path / "whole", format=kind)
    whole = (tmp_path / "whole").read_bytes()
    monkeypatch.setattr(ImageFile.ImageFile, "load", lambda _: pytest.fail("it was decoded"))
    for cut in (0, 100, 1000):
        (tmp_path / "a").write_bytes(whole[: len(whole) - cut])
        assert bool(unreadable(tmp_path / "a")) == bool(cut)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"\0\0\0\x18ftypheic\0\0\0\0", "HEIC"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:1", "Git LFS"),
        (b"\n<!DOCTYPE html><title>404</title>", "web page"),
        (b"\0\5\x16\7\0\2\0\0Mac OS X", "macOS"),
    ],
)
def test_what_is_no_picture_is_called_what_it_is(content, what):
    with pytest.raises(UndecodableImage, match=what) as said:
        decode("a.jpg", content)
    assert " at 0x" not in str(said.value)  # no place in memory


def test_a_file_too_large_to_be_read_whole_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("vlmbias.stimuli.decoding.MAX_BYTES", 70)
    (tmp_path / "a.png").write_bytes(bytes(71))
    (tmp_path / "b.png").write_bytes(bytes(70))
    with pytest.raises(UndecodableImage, match="71 bytes are above the limit of 70"):
        read(tmp_path / "a.png")
    assert len(read(tmp_path / "b.png")) == 70


def test_no_changed_byte_of_a_png_gives_another_picture(tmp_path):
    rng = np.random.default_rng(0)
    pixels = rng.integers(0, 256, (9, 9, 3), dtype=np.uint8)
    path = saved(tmp_path, Image.fromarray(pixels), "a.png")
    whole, wrong = path.read_bytes(), 0
    for position in range(len(whole)):
        path.write_bytes(
            whole[:position] + bytes([whole[position] ^ 1 << position % 8]) + whole[position + 1 :]
        )
        try:
            assert np.array_equal(decode(path), pixels), position
        except UndecodableImage:
            wrong += 1
    assert wrong > len(whole) - 12  # of the last chunk alone nothing is shown


def test_a_small_file_with_many_pixels_is_refused(tmp_path):
    path = saved(tmp_path, Image.new("1", (6_000, 6_000)), "bomb.png")
    assert path.stat().st_size < 20_000
    with pytest.raises(
        UndecodableImage, match=r"6000 × 6000 pixels is above the limit of 30,000,000 for .* bytes"
    ):
        decode(path)
    path.write_bytes(path.read_bytes() + bytes(6_000_000))  # a picture may have 6 pixels per byte
    assert decode(path).size == (6_000, 6_000)


def test_a_small_jpeg_may_have_more_pixels_and_is_shrunk_where_it_would_take_much_memory(
    tmp_path, monkeypatch
):
    limits = {"_PLAIN": 100_000, "_PER_BYTE": 0, "_PLAIN_JPEG": 20_000_000, "_PER_BYTE_JPEG": 0}
    for name, value in limits.items():
        monkeypatch.setattr(f"vlmbias.stimuli.decoding.{name}", value)
    cmyk = Image.new("CMYK", (4096, 4096))
    assert decode(saved(tmp_path, cmyk, "b.jpg")).size == (4096, 4096)
    assert decode(saved(tmp_path, cmyk, "c.jpg", progressive=True)).size == (2048, 2048)
    monkeypatch.setattr("vlmbias.stimuli.decoding._DRAFT_ABOVE", 16_000_000)
    assert decode(tmp_path / "b.jpg").size == (2048, 2048)
    with pytest.raises(UndecodableImage, match="above the limit of 20,000,000"):
        decode(saved(tmp_path, Image.new("L", (5000, 4001)), "d.jpg"))
