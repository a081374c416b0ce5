"""Cases of ai.onnx.ml: the number of features that the attributes imply."""

import numpy as np
from contrib_case import ML
from onnx import numpy_helper


def some(c, count):
    return [round(c.r.uniform(-1, 1), 2) for _ in range(count)]


def rows(c, width):
    return c.x(c.one([c.size(), width], [c.size(), width], [width]))


def labels(c, count):
    return c.one({'classlabels_ints': list(range(count))}, {'classlabels_strings': [f'l{i}' for i in range(count)]})


def linear_classifier(c):
    width, classes = c.size(), c.one(2, 3, 4)
    planes = c.one(classes, 1) if classes == 2 else classes
    return c.node('LinearClassifier', [rows(c, width)], 2, ML, coefficients=some(c, width * planes),
                  intercepts=some(c, planes), **labels(c, classes))


def linear_regressor(c):
    width, targets = c.size(), c.one(None, 1, 2, 3)
    return c.node('LinearRegressor', [rows(c, width)], 1, ML, coefficients=some(c, width * (targets or 1)),
                  intercepts=some(c, targets or 1) if c.chance() else None, targets=targets)


def svm(c, op):
    width, vectors = c.size(), c.size()
    kind, params = c.one('RBF', 'LINEAR', 'POLY'), [0.5, 0.0, 2.0]
    if op == 'SVMRegressor':
        bare = c.chance(0.3)
        return c.node(op, [rows(c, width)], 1, ML, coefficients=some(c, width if bare else vectors), kernel_params=params,
                      kernel_type='LINEAR' if bare else kind, n_supports=None if bare else vectors, rho=some(c, 1),
                      support_vectors=None if bare else some(c, vectors * width))
    first = c.r.randint(1, vectors - 1)
    return c.node(op, [rows(c, width)], 2, ML, coefficients=some(c, vectors), kernel_params=params, kernel_type=kind,
                  rho=some(c, 1), support_vectors=some(c, vectors * width),
                  vectors_per_class=[first, vectors - first], **labels(c, 2))


def svm_linear(c):
    width, classes = c.size(), c.one(2, 3)
    return c.node('SVMClassifier', [rows(c, width)], 2, ML, coefficients=some(c, width * classes),
                  kernel_params=[0.5, 0.0, 2.0], kernel_type='LINEAR', rho=some(c, classes), **labels(c, classes))


def tree(c, width):
    """Inner nodes 0, 2, 4 … of a chain, each with a leaf after it; the last node is a leaf too."""
    inner = c.one(1, 2, 3)
    count = 2 * inner + 1
    ids = [c.r.randint(0, width + 3) if i % 2 or i == count - 1 else c.r.randint(0, width - 1) for i in range(count)]
    leaf = [bool(i % 2) or i == count - 1 for i in range(count)]
    return leaf, {'nodes_treeids': [0] * count, 'nodes_nodeids': list(range(count)), 'nodes_featureids': ids,
                  'nodes_values': some(c, count), 'nodes_modes': ['LEAF' if f else 'BRANCH_LEQ' for f in leaf],
                  'nodes_truenodeids': [0 if f else i + 1 for i, f in enumerate(leaf)],
                  'nodes_falsenodeids': [0 if f else i + 2 for i, f in enumerate(leaf)]}


def trees(c, op):
    c.ml = c.one(1, 3)
    width = c.size()
    leaf, attributes = tree(c, width)
    ends = [i for i, f in enumerate(leaf) if f]
    kind = 'class' if op == 'TreeEnsembleClassifier' else 'target'
    attributes |= {f'{kind}_treeids': [0] * len(ends), f'{kind}_nodeids': ends, f'{kind}_ids': [i % 2 for i in range(len(ends))],
                   f'{kind}_weights': some(c, len(ends))}
    more = {'classlabels_int64s': [0, 1, 2]} if kind == 'class' else {'n_targets': 2}
    return c.node(op, [c.x([c.size(), width])], 2 if kind == 'class' else 1, ML, **attributes, **more)


def tree_ensemble(c):
    c.ml, width = 5, c.size()
    floats = lambda n: numpy_helper.from_array(np.array(some(c, n), np.float32))
    return c.node('TreeEnsemble', [c.x([c.size(), width])], 1, ML, nodes_splits=floats(2),
                  nodes_featureids=[c.r.randint(0, width - 1) for _ in range(2)],
                  nodes_modes=numpy_helper.from_array(np.zeros(2, np.uint8)), nodes_truenodeids=[1, 0],
                  nodes_falsenodeids=[1, 1], nodes_trueleafs=[0, 1], nodes_falseleafs=[1, 1], leaf_weights=floats(2),
                  leaf_targetids=[0, 0], tree_roots=[0], n_targets=1)


def scaler(c):
    width, count = c.size(), c.one(1, 0, 0)
    dims = c.one([width], [c.size(), width], [c.size(), width, c.size()])
    return c.node('Scaler', [c.x(dims)], 1, ML, offset=some(c, count or width), scale=some(c, count or width))


def imputer(c):
    width = c.size()
    return c.node('Imputer', [c.x([c.size(), width])], 1, ML, imputed_value_floats=some(c, c.one(1, width)),
                  replaced_value_float=0.0)


def normalizer(c):
    return c.node('Normalizer', [rows(c, c.size())], 1, ML, norm=c.one('MAX', 'L1', 'L2'))


def extractor(c):
    width = c.size()
    indices = [c.r.randint(0, width - 1) for _ in range(c.one(1, 2, 3))]
    return c.node('ArrayFeatureExtractor', [c.x(c.sizes(c.one(0, 1, 2)) + [width]), c.c(indices, 'int64')], 1, ML)


def vectorizer(c):
    n, a, b = c.sizes(3)
    return c.node('FeatureVectorizer', [c.x([n, a]), c.x([n, b])], 1, ML, inputdimensions=[a, b])


CASES = {'LinearClassifier': linear_classifier, 'LinearRegressor': linear_regressor,
         'SVMClassifier': lambda c: svm_linear(c) if c.chance(0.3) else svm(c, 'SVMClassifier'),
         'SVMRegressor': lambda c: svm(c, 'SVMRegressor'),
         'TreeEnsembleClassifier': lambda c: trees(c, 'TreeEnsembleClassifier'),
         'TreeEnsembleRegressor': lambda c: trees(c, 'TreeEnsembleRegressor'), 'TreeEnsemble': tree_ensemble,
         'Scaler': scaler, 'Imputer': imputer, 'Normalizer': normalizer, 'ArrayFeatureExtractor': extractor,
         'FeatureVectorizer': vectorizer}
