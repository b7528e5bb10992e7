"""Computes the coefficients of this crate: `python3 fit.py > src/coefficients.rs` (it needs mpmath).

Each polynomial minimises the greatest weighted error over its interval (the exchange algorithm of Remez). Its
coefficients are then rounded to f32 or f64 one after the other, from the one that matters most, and those that are left
are fitted again each time, so that they take up what the rounding cost.
"""

from mpmath import mp, mpf

mp.prec = 240


def rounded(value, bits):
    """The nearest value with so many binary digits."""
    with mp.workprec(bits):
        return +value


def remez(function, weight, low, high, powers):
    """Coefficients of `powers` for `function` on `low..high`, and the greatest weighted error."""
    count = len(powers) + 1
    # Beginning with Chebyshev's points, moved to where the error is greatest until they stay.
    points = [(low + high) / 2 - (high - low) / 2 * mp.cos(mp.pi * (2 * i + mpf("1.01")) / (2 * count)) for i in range(count)]
    grid = [low + (high - low) * (1 - mp.cos(mp.pi * (2 * i + 1) / 2400)) / 2 for i in range(1200)]
    samples = [(x, function(x), abs(weight(x)), [x**p for p in powers]) for x in grid]
    for _ in range(12):
        matrix = mp.matrix(count, count)
        right = mp.matrix(count, 1)
        for row, x in enumerate(points):
            for column, power in enumerate(powers):
                matrix[row, column] = abs(weight(x)) * x**power
            matrix[row, count - 1] = (-1) ** row
            right[row] = abs(weight(x)) * function(x)
        solution = mp.lu_solve(matrix, right)
        coefficients = list(solution[: count - 1])
        level = abs(solution[count - 1])
        errors = [(w * (sum(c * p for c, p in zip(coefficients, xs)) - f), x) for x, f, w, xs in samples]
        # The greatest error between two changes of sign.
        peaks = []
        for error in errors:
            if peaks and (error[0] > 0) == (peaks[-1][0] > 0):
                if abs(error[0]) > abs(peaks[-1][0]):
                    peaks[-1] = error
            else:
                peaks.append(error)
        worst = max(abs(e) for e, _ in errors)
        while len(peaks) > count:
            peaks.pop(0 if abs(peaks[0][0]) < abs(peaks[-1][0]) else -1)
        if len(peaks) < count or worst < level * mpf("1.001"):
            break
        points = [x for _, x in peaks]
    return coefficients, worst


def literal(value, bits):
    """The shortest decimal number that reads back as the value."""
    if bits == 53:
        return repr(float(value))
    text = next(text for digits in range(6, 10) if rounded(mpf(text := f"{float(value):.{digits}g}"), 24) == value)
    return repr(float(text))


def print_row(name, comment, values, bits):
    """An array as Rust source."""
    kind = "f32" if bits == 24 else "f64"
    print(f"\n/// {comment}")
    print("#[rustfmt::skip]")
    print(f"pub const {name}: [{kind}; {len(values)}] = [")
    for value in values:
        print(f"    {literal(value, bits)},")
    print("];")


def fit(name, comment, function, weight, low, high, terms, bits):
    """Prints the coefficients of a polynomial, each rounded before those behind it are fitted once more."""
    low, high = mpf(low), mpf(high)
    fixed, rest = [], list(range(terms))
    grid = [low + (high - low) * (i + mpf("0.37")) / 2000 for i in range(2000)]
    grid = [(x, weight(x), function(x)) for x in grid]
    error = lambda row: max(abs(w * (mp.polyval((fixed + row)[::-1], x) - f)) for x, w, f in grid)
    current, _ = remez(function, weight, low, high, rest)
    while rest:
        fixed.append(rounded(current[0], bits))
        rest.pop(0)
        remaining = lambda x: function(x) - mp.polyval(fixed[::-1], x)
        current = current[1:]
        if rest:
            # Of the few powers that are left some functions have no alternating error; then nothing is gained.
            current = min(current, remez(remaining, weight, low, high, rest)[0], key=error)
    worst = error([])
    print_row(name, f"{comment}; error 2^{mp.nstr(mp.log(worst, 2), 4)}.", fixed, bits)


def parts(name, comment, value, bits, sizes):
    """Prints a number as a sum, each part with so many binary digits."""
    values = []
    for size in sizes:
        values.append(rounded(value - sum(values), size))
    print_row(name, comment, values, bits)


def main():
    print("//! The numbers of the approximations. Written by `fit.py`, which says how they are computed.")
    print('\n#![allow(clippy::approx_constant, reason = "some parts are the nearest number to a constant that has a name")]')
    ln2, half_pi = mp.log(2), mp.pi / 2
    r = ln2 / 2 * mpf("1.001")
    exp = lambda x: (mp.expm1(x) - x) / x**2
    in_exp = lambda x: x**2 / mp.exp(x)
    exp2 = lambda x: mp.expm1(x * ln2) / x
    in_exp2 = lambda x: x / mp.mpf(2) ** x
    half = mpf("0.501")
    for bits, terms in (24, 6), (53, 11):
        kind = "F32" if bits == 24 else "F64"
        comment = "`(exp(r) - 1 - r) / r²` for `|r| <= ln(2) / 2`"
        fit(f"EXP_{kind}", comment, exp, in_exp, -r, r, terms, bits)
        fit(f"EXP2_{kind}", "`(2^r - 1) / r` for `|r| <= 1/2`", exp2, in_exp2, -half, half, terms + 1, bits)
        parts(f"LN2_{kind}", "ln 2; small multiples of the first part are exact.", ln2, bits, (bits - 13, bits))
        parts(f"LOG2_E_{kind}", "The logarithm of e to base 2.", 1 / ln2, bits, (bits, bits))
    fit("EXP2_SHORT", "`(2^r - 1) / r` for `|r| <= 1/2`, for results in f32", exp2, in_exp2, -half, half, 7, 53)

    low, high = mp.sqrt(mpf(1) / 2) * mpf("0.9999") - 1, mp.sqrt(2) * mpf("1.0001") - 1
    log1p = lambda x: mp.log1p(x)
    fit(
        "LOG_F32", "`(ln(1 + f) - f + f²/2) / f³` for `1 + f` from √½ to √2", lambda f: (log1p(f) - f + f * f / 2) / f**3,
        lambda f: f**3 / log1p(f), low, high, 9, 24,
    )
    fit(
        "LOG2_F32", "`(log2(1 + f) - f log2(e)) / f²` for `1 + f` from √½ to √2", lambda f: (log1p(f) - f) / f**2 / ln2,
        lambda f: f**2 * ln2 / log1p(f), low, high, 10, 24,
    )
    # With s = f / (2 + f) the logarithm is 2 artanh(s), a series in z = s².
    z = (high / (2 + high)) ** 2
    artanh = lambda z: mp.atanh(mp.sqrt(z)) / mp.sqrt(z)
    fit(
        "LOG_F64", "`(2 artanh(s) / s - 2) / z` with `z = s²`, for `(1 + s) / (1 - s)` from √½ to √2",
        lambda z: (2 * artanh(z) - 2) / z, lambda z: z / 2, 0, z, 8, 53,
    )
    c1, c3, c5 = 2 / ln2, 2 / (3 * ln2), 2 / (5 * ln2)
    parts("POW_FIRST", "`2 log2(e)`, the first term of the logarithm to base 2 in powers of s.", c1, 53, (53, 53))
    parts("POW_SECOND", "`2/3 log2(e)`, the second term.", c3, 53, (53, 53))
    parts("POW_THIRD", "`2/5 log2(e)`, the third term.", c5, 53, (53, 53))
    fit(
        "POW_TAIL", "The terms of `log2((1 + s) / (1 - s)) / s` from `z³` on, divided by `z³`",
        lambda z: ((2 * artanh(z) / ln2 - c1) / z - c3 - c5 * z) / z**2, lambda z: z**3 / c1, 0, z, 9, 53,
    )
    fit(
        "POW_SHORT", "`(2 artanh(s) / s log2(e) - 2 log2(e)) / z` with `z = s²`, for results in f32",
        lambda z: (2 * artanh(z) / ln2 - c1) / z, lambda z: z / c1, 0, z, 6, 53,
    )

    quarter = (mp.pi / 4 * mpf("1.001")) ** 2
    sin = lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z
    cos = lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2
    in_sin, in_cos = lambda z: z / (mp.sin(mp.sqrt(z)) / mp.sqrt(z)), lambda z: z**2 / mp.cos(mp.sqrt(z))
    for name, terms, what in ("", 6, ""), ("_SHORT", 4, ", for results in f32"):
        sin_comment = f"`(sin(r) / r - 1) / z` with `z = r²` for `|r| <= π/4`{what}"
        cos_comment = f"`(cos(r) - 1 + z/2) / z²` with `z = r²` for `|r| <= π/4`{what}"
        fit(f"SIN{name}", sin_comment, sin, in_sin, 0, quarter, terms, 53)
        fit(f"COS{name}", cos_comment, cos, in_cos, 0, quarter, terms, 53)
    parts("HALF_PI", "π/2; multiples up to 2^20 of the first two parts are exact.", half_pi, 53, (33, 33, 53))
    parts("HALF_PI_SHORT", "π/2 in two parts.", half_pi, 53, (53, 53))

    tanh = lambda z: (mp.tanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z
    in_tanh = lambda z: z / (mp.tanh(mp.sqrt(z)) / mp.sqrt(z))
    end = mpf("0.5501") ** 2
    for bits, terms in (24, 5), (53, 12):
        comment = "`(tanh(x) / x - 1) / z` with `z = x²` for `|x| <= 0.55`"
        fit(f"TANH_F{32 if bits == 24 else 64}", comment, tanh, in_tanh, 0, end, terms, bits)

    erf = lambda z: mp.erf(mp.sqrt(z)) / mp.sqrt(z) - 1
    in_erf = lambda z: mp.sqrt(z) / mp.erf(mp.sqrt(z))
    for bits, below, above, end in (24, 7, 9, 4), (53, 14, 20, 6):
        kind = "F32" if bits == 24 else "F64"
        fit(f"ERF_{kind}", "`erf(x) / x - 1` in powers of x² for `|x| <= 1`", erf, in_erf, 0, mpf("1.001"), below, bits)
        fit(
            f"ERFC_{kind}", f"`-ln(1 - erf(1 + t))` in powers of t for t from 0 to {end - 1}",
            lambda t: -mp.log(mp.erfc(t + 1)), lambda t: mp.erfc(t + 1) / mp.erf(t + 1),
            0, end - 1, above, bits,
        )

    parts("LOG10_2", "The logarithm of 2 to base 10; small multiples of the first part are exact.", mp.log10(2), 53, (40, 53))
    parts("LOG10_E", "The logarithm of e to base 10.", 1 / mp.log(10), 53, (53, 53))

    # What is left of arctan between the multiples of π/4.
    end = mp.tan(mp.pi / 8) ** 2 * mpf("1.001")
    atan = lambda z: (mp.atan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z
    in_atan = lambda z: z / (mp.atan(mp.sqrt(z)) / mp.sqrt(z))
    fit("ATAN", "`(atan(t) / t - 1) / z` with `z = t²` for `|t| <= tan(π/8)`", atan, in_atan, 0, end, 12, 53)
    parts("QUARTER_PI", "π/4; multiples up to 8 of the first part are exact.", mp.pi / 4, 53, (50, 53))

    cbrt = lambda f: mp.cbrt(1 + f)
    in_cbrt = lambda f: 1 / cbrt(f)
    fit("CBRT", "`cbrt(1 + f)` for `1 + f` from √½ to √2, before a step of Halley's method", cbrt, in_cbrt, low, high, 7, 53)
    print_row("CBRT_2", "The cube roots of ½, 1 and 2.", [rounded(mp.cbrt(mpf(2) ** power), 53) for power in (-1, 0, 1)], 53)

    print("\n/// The binary digits of 2/π behind the point, 64 in each element, the first ones first.")
    print("#[rustfmt::skip]")
    print("pub const TWO_OVER_PI: [u64; 20] = [")
    with mp.workprec(1500):
        digits = 2 / mp.pi
        for _ in range(20):
            digits *= 2**64
            whole = int(mp.floor(digits))
            digits -= whole
            print(f"    0x{whole:016x},")
    print("];")


main()
