/*
 * Every shape rule, declared from the rows of the operators.
 */
#ifndef OPS_RULES_H
#define OPS_RULES_H

#include "ops/rule.h"

#define OP(domain, name, since, properties, min, max, rule) rule_function rule_##rule;
#include "ops/ops.def"
#undef OP

#endif
