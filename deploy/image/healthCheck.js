/**
 * The container's health check: whether the process answers. A worker listens on its metrics alone. The
 * database has no part in it: restarting a gateway does not bring a database back.
 */
const { ROLE, PORT = '8080', METRICS_PORT = '9090' } = process.env;
const port = ROLE === 'worker' ? METRICS_PORT : PORT;
const response = await fetch(`http://127.0.0.1:${port}/healthz`, {
  signal: AbortSignal.timeout(4_000),
}).catch(() => null);
process.exitCode = response?.ok === true ? 0 : 1;
