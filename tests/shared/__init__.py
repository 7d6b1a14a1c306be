"""What several tests use: small plans and networks, plain twins of kernels, mutations, published figures."""

import os

# NumPy reads it once, at its first import. Tests run side by side, and threads of linear algebra would wait for each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
