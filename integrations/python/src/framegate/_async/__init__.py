"""The client for async code; "npm run generate" derives `_sync` from it."""
