"""Eigenvalues of a network: expansion, the Ramanujan test, the spectral bound on cuts."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.sparse import block_array, csr_array, diags_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import LinearOperator, eigsh

from planner.core import seeds
from planner.domain.model import Topology
from planner.network.metrics.graph import adjacency

_DENSE = 400
_FINE = 20_000
_CLOSE = 1e-6


@dataclass(frozen=True)
class Spectrum:
    """Extreme eigenvalues.

    Attributes
    ----------
    degree
        Degree of all routers; None if they differ, and then so are metrics that need it.
    lambda2
        Second largest eigenvalue of the adjacency matrix, signed, for regular networks.
    lambda_min
        Smallest eigenvalue of the adjacency matrix.
    bipartite
        Whether some connected component has no odd cycle; then - degree is an eigenvalue of regular networks.
    connectivity
        Second smallest eigenvalue of the Laplacian (algebraic connectivity); degree - lambda2 where both exist.
    error
        Error bound of `connectivity`, the residual of its vector.
    """

    degree: int | None
    lambda2: float | None
    lambda_min: float
    bipartite: bool
    connectivity: float
    error: float

    @property
    def lambda_g(self) -> float | None:
        """Largest absolute eigenvalue other than ± the degree."""
        if self.degree is None or self.lambda2 is None:
            return None
        return abs(self.lambda2) if self.bipartite else max(abs(self.lambda2), abs(self.lambda_min))

    @property
    def mu1(self) -> float | None:
        """1 - lambda(G) / degree, as in SpectralFly's Table I."""
        return 1 - self.lambda_g / self.degree if self.degree and self.lambda_g is not None else None

    @property
    def mu1_signed(self) -> float | None:
        """1 - lambda2 / degree: the gap of the normalized Laplacian, which bounds cuts."""
        return 1 - self.lambda2 / self.degree if self.degree and self.lambda2 is not None else None

    @property
    def ramanujan(self) -> bool | None:
        """Whether lambda(G) is at most 2 sqrt(degree - 1), the asymptotic minimum of regular networks."""
        if not self.degree or self.lambda_g is None:
            return None
        return self.lambda_g <= 2 * math.sqrt(self.degree - 1) + _CLOSE


def spectrum(topology: Topology) -> Spectrum:
    """Return the eigenvalues next to the trivial one.

    From the Laplacian with the constant vector projected out.
    Dense up to 400 routers, Lanczos above.

    References
    ----------
    .. [1] A. Lubotzky, R. Phillips, P. Sarnak, "Ramanujan graphs", Combinatorica 8, 1988.
    .. [2] S. Young et al., "SpectralFly: Ramanujan graphs as flexible and efficient interconnection networks", IPDPS 2022.

    Examples
    --------
    >>> from planner.network.topology import build
    >>> found = spectrum(build("slimfly", q=7))
    >>> round(found.lambda2, 4), round(found.mu1, 4), found.ramanujan
    (4.0, 0.6201, True)
    """
    matrix = adjacency(topology)
    values, _, error = smooth_modes(matrix, 1)
    degree = int(topology.degree[0]) if np.ptp(topology.degree) == 0 else None
    return Spectrum(
        degree=degree,
        lambda2=None if degree is None else degree - float(values[0]),
        lambda_min=_smallest_eigenvalue(matrix),
        bipartite=_is_bipartite(matrix),
        connectivity=float(values[0]),
        error=error,
    )


def smooth_modes(matrix: csr_array, count: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the smallest non-trivial eigenvalues of the Laplacian, their vectors, and the residual of the first."""
    size = matrix.shape[0]
    degree = matrix.sum(axis=1)
    laplacian = csr_array(diags_array(degree) - matrix)
    if size <= max(_DENSE, 2 * count + 2):
        values, vectors = np.linalg.eigh(laplacian.toarray())
        return values[1 : count + 1], vectors[:, 1 : count + 1], 1e-9
    top = 2 * float(degree.max())

    def apply(x: np.ndarray) -> np.ndarray:
        x = x.ravel() - x.mean()
        y = top * x - laplacian @ x
        return y - y.mean()

    values, vectors = eigsh(
        LinearOperator((size, size), matvec=apply, dtype=np.float64), k=count, which="LA", tol=_tolerance(size), v0=_start(size)
    )
    values, vectors = top - values[::-1], vectors[:, ::-1]
    error = np.linalg.norm(laplacian @ vectors[:, 0] - values[0] * vectors[:, 0])
    return values, vectors, float(error)


def _is_bipartite(matrix: csr_array) -> bool:
    """Return whether the double cover, every router twice and every link crosswise, has more components than the network."""
    cover = block_array([[None, matrix], [matrix, None]], format="csr")
    components, cover_components = (connected_components(graph, directed=False, return_labels=False) for graph in (matrix, cover))
    return bool(cover_components > components)


def _smallest_eigenvalue(matrix: csr_array) -> float:
    if matrix.shape[0] <= _DENSE:
        return float(np.linalg.eigvalsh(matrix.toarray())[0])
    size = matrix.shape[0]
    return float(eigsh(matrix, k=1, which="SA", tol=_tolerance(size), v0=_start(size), return_eigenvectors=False)[0])


def _tolerance(size: int) -> float:
    return 1e-7 if size <= _FINE else 1e-4


def _start(size: int) -> np.ndarray:
    return seeds.stream(0, "spectrum").standard_normal(size)
