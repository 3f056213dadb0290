import pytest

from generator.expression import ExpressionError, evaluate, whole

NAMES = {"N": 10, "M": 3, "alpha": 0.5}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4 * N", 40),
        ("N - M - 2", 5),
        ("(N + M) * 2", 26),
        ("N / 4", 2.5),
        ("N // 4", 2),
        ("-N // 4", -3),
        ("N % M", 1),
        ("2 ** N", 1024),
        ("ceil(N / 4)", 3),
        ("floor(N / 4)", 2),
        ("min(N, M, 7)", 3),
        ("max(N, M)", 10),
        ("log2(N - 2)", 3.0),
        ("sqrt(N - 1)", 3.0),
        ("alpha * N", 5.0),
        ("2 ** 62 + (2 ** 62 - 1)", 2**63 - 1),
        (" +N ", 10),
        (7, 7),
    ],
)
def test_value(text, value):
    assert evaluate(text, NAMES) == value
    assert type(evaluate(text, NAMES)) is type(value)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "cannot read"),
        ("4 *", "cannot read"),
        ("4 N", "cannot read"),
        ("K", "'K' is unknown (known: M, N, alpha)"),
        ("exp(N)", "function 'exp' is unknown"),
        ("log2(N, M)", "log2() takes one argument"),
        ("min(N)", "min() takes two or more arguments"),
        ("N.bit_length()", "is not arithmetic"),
        ("__import__('os')", "is not arithmetic"),
        ("[N]", "is not arithmetic"),
        ("N if M else 1", "is not arithmetic"),
        ("True", "is not arithmetic"),
        ("1j", "is not arithmetic"),
        ("N << 3", "is not arithmetic"),
        ("N / 0", "has no value"),
        ("N // (M - 3)", "has no value"),
        ("log2(0)", "has no value"),
        ("sqrt(0 - N)", "has no value"),
        ("(0 - 8) ** 0.5", "is not a finite real number"),
        ("1e308 * 10", "is not a finite real number"),
    ],
)
def test_error_shows_the_expression(text, part):
    with pytest.raises(ExpressionError) as error:
        evaluate(text, NAMES)
    assert part in str(error.value)
    assert repr(text) in str(error.value)


@pytest.mark.parametrize(
    "text", ["2 ** 63", "2 ** 62 * 2", "N ** 19", "0 - 2 ** 62 - 2 ** 62 - 1", "N ** N ** N", "9223372036854775808"]
)
def test_more_than_64_bits(text):
    with pytest.raises(ExpressionError, match="exceeds 64 bits"):
        evaluate(text, NAMES)


def test_deep_nesting_is_an_error_and_no_crash():
    with pytest.raises(ExpressionError):
        evaluate("(" * 100000 + "1" + ")" * 100000, {})
    with pytest.raises(ExpressionError):
        evaluate("-" * 5000 + "1", {})


def test_whole():
    assert whole("N // 3", NAMES) == 3
    with pytest.raises(ExpressionError, match=r"not a whole number; use //, ceil\(\) or floor\(\)"):
        whole("N / 5", NAMES)
