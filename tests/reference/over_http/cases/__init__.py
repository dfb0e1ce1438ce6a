"""Holds the cases of limits over HTTP by theme; their place is their file's number."""

from over_http.cases import accept, addresses, answers, clients, forwarded, keys, refunds, terms

THEMES = [addresses, clients, forwarded, keys, answers, accept, terms, refunds]
