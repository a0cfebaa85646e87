"""Benchmarks over any retriever: data sets, runs, statistics, verdicts."""
