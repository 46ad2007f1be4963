"""Exact yardsticks: what a best response wins against a portfolio, without sampling."""
