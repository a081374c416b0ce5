#include <math.h>

#include "flow/kernel/kernel.h"
#include "flow/number.h"

/* Functions of one float. */
#define REAL(name, expression)                                                              \
	bool point_##name(const struct point *p, const union number *in, union number *out) \
	{                                                                                   \
		double x = in[0].f;                                                         \
                                                                                            \
		(void)p;                                                                    \
		out->f = (expression);                                                      \
		return true;                                                                \
	}

REAL(floor, floor(x))
REAL(ceil, ceil(x))
REAL(round_even, nearbyint(x))
REAL(reciprocal, 1 / x)
REAL(sqrt, sqrt(x))
REAL(exp, exp(x))
REAL(log, log(x))
REAL(sin, sin(x))
REAL(cos, cos(x))
REAL(tan, tan(x))
REAL(asin, asin(x))
REAL(acos, acos(x))
REAL(atan, atan(x))
REAL(sinh, sinh(x))
REAL(cosh, cosh(x))
REAL(asinh, asinh(x))
REAL(acosh, acosh(x))
REAL(atanh, atanh(x))
REAL(tanh, tanh(x))
REAL(erf, erf(x))
REAL(sigmoid, 1 / (1 + exp(-x)))
REAL(softplus, x > 0 ? x + log1p(exp(-x)) : log1p(exp(x)))
REAL(softsign, x / (1 + fabs(x)))
REAL(leaky_relu, x < 0 ? p->alpha * x : x)
REAL(elu, x < 0 ? p->alpha * expm1(x) : x)
REAL(celu, fmax(x, 0) + fmin(0, p->alpha *expm1(x / p->alpha)))
REAL(selu, p->beta *(x <= 0 ? p->alpha * expm1(x) : x))
REAL(hard_sigmoid, fmax(0, fmin(1, p->alpha *x + p->beta)))
REAL(hard_swish, x *fmax(0, fmin(1, x / 6 + 0.5)))
REAL(thresholded_relu, x > p->alpha ? x : 0)
REAL(mish, x *tanh(x > 0 ? x + log1p(exp(-x)) : log1p(exp(x))))
REAL(swish, x / (1 + exp(-p->alpha * x)))
REAL(gelu, p->mode ? 0.5 * x *(1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)))
		   : 0.5 * x * (1 + erf(x / M_SQRT2)))

bool point_is_nan(const struct point *p, const union number *in, union number *out)
{
	bool nan = isnan(in[0].f);

	(void)p;
	out->u = nan;
	return true;
}

bool point_is_inf(const struct point *p, const union number *in, union number *out)
{
	out->u = isinf(in[0].f) && (in[0].f < 0 ? p->alpha : p->beta) != 0;
	return true;
}
