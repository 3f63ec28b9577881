"""The client that blocks, made from `_async`; only `io` is written by hand."""
