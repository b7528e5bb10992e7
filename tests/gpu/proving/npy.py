"""The files of `numpy.save`, without numpy: read, written and compared bit by bit."""

import ast
import pathlib
import struct

MAGIC = b"\x93NUMPY\x01\x00"

# How many bits of each float are the exponent's and the fraction's. A bf16 is saved as two bytes without a meaning.
FLOATS = {"<f2": (5, 10), "<V2": (8, 7), "|V2": (8, 7), "<f4": (8, 23), "<f8": (11, 52)}


def read(path):
    """The element type, the shape and the elements' bytes of a file."""
    everything = pathlib.Path(path).read_bytes()
    size, = struct.unpack("<H", everything[8:10])
    header = ast.literal_eval(everything[10:10 + size].decode("latin1"))
    return header["descr"], tuple(header["shape"]), memoryview(everything)[10 + size:]


def header(descr, shape):
    """What stands before the elements."""
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {tuple(shape)!r}, }}"
    padded = text + " " * (-(len(MAGIC) + 2 + len(text) + 1) % 64) + "\n"
    return MAGIC + struct.pack("<H", len(padded)) + padded.encode("latin1")


def is_nan(descr, element):
    if descr not in FLOATS:
        return False
    exponent, fraction = FLOATS[descr]
    bits = int.from_bytes(element, "little") & ((1 << (exponent + fraction)) - 1)
    return bits > ((1 << exponent) - 1) << fraction


def difference(expected, found):
    """What is wrong with a file, as a sentence, or None. Which bits a NaN has is left open."""
    descr, shape, right = read(expected)
    found_descr, found_shape, left = read(found)
    if (descr, shape) != (found_descr, found_shape):
        return f"{descr}{list(shape)} was expected, and it is {found_descr}{list(found_shape)}"
    if right == left:
        return None
    size = int(descr[2:])
    places = range(0, len(right), size)
    wrong = [at for at in places if right[at:at + size] != left[at:at + size]
             and not (is_nan(descr, right[at:at + size]) and is_nan(descr, left[at:at + size]))]
    if not wrong:
        return None
    at = wrong[0]
    bits = [bytes(side[at:at + size])[::-1].hex() for side in (right, left)]
    return (f"{len(wrong)} of {len(places)} elements of {descr}{list(shape)} are wrong, "
            f"the first is {at // size}: 0x{bits[0]} was expected, and it is 0x{bits[1]}")
