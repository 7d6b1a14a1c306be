"""What several tests use: small plans and networks, plain twins of kernels, mutations, published figures."""
