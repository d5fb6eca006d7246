"""Every kind of image a person may have, against what it must look like."""

import numpy as np
import pytest
from PIL import Image

from vlmbias.stimuli.decoding import UndecodableImage, decode

RAMP = np.linspace(0, 255, 64).astype(np.uint8).reshape(8, 8)
COLOUR = np.stack([RAMP, RAMP[::-1], np.full((8, 8), 90, np.uint8)], axis=-1)


def saved(folder, image, name, **options):
    path = folder / name
    image.save(path, **options)
    return path


def test_plain_colour_comes_back_as_it_is(tmp_path):
    assert np.array_equal(decode(saved(tmp_path, Image.fromarray(COLOUR), "a.png")), COLOUR)


def test_grey_and_one_bit(tmp_path):
    grey = decode(saved(tmp_path, Image.fromarray(RAMP), "grey.png"))
    assert grey.mode == "RGB" and np.array_equal(np.asarray(grey), np.stack([RAMP] * 3, axis=-1))
    bits = Image.fromarray(RAMP > 100).convert("1")
    assert set(np.unique(decode(saved(tmp_path, bits, "bits.png")))) == {0, 255}


def test_palette(tmp_path):
    palette = Image.fromarray(COLOUR).quantize(64)
    assert np.array_equal(decode(saved(tmp_path, palette, "p.png")), palette.convert("RGB"))


def test_cmyk_is_converted_not_inverted(tmp_path):
    cyan = Image.new("CMYK", (16, 16), (255, 0, 0, 0))
    red, green, blue = np.asarray(decode(saved(tmp_path, cyan, "c.jpg", quality=95))).reshape(-1, 3).mean(axis=0)
    assert red < 10 and green > 245 and blue > 245


@pytest.mark.parametrize("mode", ["RGBA", "LA"])
def test_transparent_pixels_lie_on_white(tmp_path, mode):
    image = Image.new(mode, (4, 4), 0)  # black, fully transparent
    assert (np.asarray(decode(saved(tmp_path, image, "t.png"))) == 255).all()


def test_half_transparent_pixels_are_mixed_with_white(tmp_path):
    image = Image.new("RGBA", (4, 4), (200, 0, 0, 128))
    expected = np.array([200, 0, 0]) * 128 / 255 + 255 * 127 / 255
    assert np.abs(np.asarray(decode(saved(tmp_path, image, "t.png")))[0, 0] - expected).max() <= 1


def test_a_palette_with_a_transparent_entry(tmp_path):
    palette = Image.new("P", (4, 4), 0)
    palette.putpalette([10, 20, 30, 40, 50, 60])
    assert (np.asarray(decode(saved(tmp_path, palette, "p.gif", transparency=0))) == 255).all()


@pytest.mark.parametrize("suffix", ["png", "tif"])
def test_16_bit_grey_is_scaled_not_clipped(tmp_path, suffix):
    deep = Image.fromarray(RAMP.astype(np.uint16) * 257)
    assert deep.mode.startswith("I;16")
    assert np.array_equal(np.asarray(decode(saved(tmp_path, deep, f"d.{suffix}")))[..., 0], RAMP)


def test_a_dark_16_bit_image_stays_dark(tmp_path):
    deep = Image.fromarray(np.full((4, 4), 200, np.uint16))
    assert np.asarray(decode(saved(tmp_path, deep, "d.png"))).max() <= 1


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


def test_an_image_above_pils_own_limit_works(tmp_path, monkeypatch):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 10)  # PIL alone would refuse 64 pixels
    assert decode(saved(tmp_path, Image.fromarray(COLOUR), "h.png")).size == (8, 8)
    assert Image.MAX_IMAGE_PIXELS == 10


def test_an_absurd_size_is_refused_before_it_is_decoded(tmp_path, monkeypatch):
    monkeypatch.setattr("vlmbias.stimuli.decoding.MAX_PIXELS", 50)
    with pytest.raises(UndecodableImage, match=r"8 × 8 pixels is above the limit of 50"):
        decode(saved(tmp_path, Image.fromarray(COLOUR), "bomb.png"))


def test_a_huge_jpeg_is_decoded_smaller(tmp_path, monkeypatch):
    monkeypatch.setattr("vlmbias.stimuli.decoding._DRAFT_ABOVE", 1_000_000)
    shown = decode(saved(tmp_path, Image.new("RGB", (4096, 8192), "teal"), "h.jpg"))
    assert shown.size == (2048, 4096)


def jpeg_bytes(tmp_path):
    return saved(tmp_path, Image.fromarray(np.tile(COLOUR, (20, 20, 1))), "whole.jpg").read_bytes()


@pytest.mark.parametrize("damage", [lambda b: b"", lambda b: b"not an image", lambda b: b[:40],
                                    lambda b: b[: len(b) // 2], lambda b: b"<!doctype html><p>404"])
def test_what_cannot_be_decoded_is_named(tmp_path, damage):
    path = tmp_path / "broken.jpg"
    path.write_bytes(damage(jpeg_bytes(tmp_path)))
    with pytest.raises(UndecodableImage, match=r"cannot decode the image '.*broken\.jpg'"):
        decode(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UndecodableImage, match=r"nowhere\.png"):
        decode(tmp_path / "nowhere.png")


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("seed", range(30))
def test_flipped_bytes_give_a_picture_or_a_named_error_never_anything_else(tmp_path, seed):
    rng = np.random.default_rng(seed)
    for name in ("f.png", "f.jpg", "f.gif", "f.tif", "f.webp"):
        content = bytearray(saved(tmp_path, Image.fromarray(COLOUR), name).read_bytes())
        for position in rng.integers(0, len(content), 4):
            content[position] = rng.integers(256)
        path = tmp_path / f"flipped-{name}"
        path.write_bytes(content)
        try:
            assert decode(path).mode == "RGB"
        except UndecodableImage as problem:
            assert f"flipped-{name}" in str(problem)
