"""The blocking client, derived from `_async`; only `io` is written by hand."""
