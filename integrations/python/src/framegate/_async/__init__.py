"""The client for async code; "npm run generate" makes `_sync` from it."""
