from report.diagnosis import diagnosis

REFUSED = (
    'contracts/softmax.h(52): error: static assertion failed with "CUDABENCH_CONTRACT: solve has a type that softmax '
    'does not accept (see cudabench_actual); accepted: void solve(const float* input)"\n'
)
ACTUAL = "  detected [with cudabench_actual=void (const double *)] at line 62\n"


def test_a_refusal_by_the_contract_has_the_type_that_was_found():
    said = (
        "solve has a type that softmax does not accept: void (const double *); accepted: void solve(const float* input)"
    )
    assert diagnosis(REFUSED + ACTUAL, "contract") == said


def test_without_the_type_it_says_where_to_look():
    assert "does not accept (see cudabench_actual); accepted" in diagnosis(REFUSED, "contract")


def test_of_another_stage_it_is_the_first_error():
    assert diagnosis(REFUSED + ACTUAL, "compile") == REFUSED.strip()
    assert diagnosis("", "compile") == ""
