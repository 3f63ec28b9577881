import { createLog, loadPretty } from './adapters/system/log.ts';
import { announce } from './welcome.ts';
import { loadConfig } from './config.ts';
import { startGateway } from './gateway.ts';

/**
 * `npm start`: reads the settings and runs the gateway until a stop signal. A failed start prints one message for
 * people and exits with a non-zero status, without a stack trace.
 */
async function main(): Promise<void> {
  const config = loadConfig();
  const isWatched = config.mode === 'development' && process.stderr.isTTY;
  const log = createLog(config.logLevel, 2, isWatched ? await loadPretty() : null);
  const stop = new AbortController();
  const asked = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        // A second Ctrl-C does not wait for current work.
        if (stop.signal.aborted) process.exit(130);
        stop.abort(new Error(`stopped by ${signal}`));
        resolve();
      });
    }
  });
  const gateway = await startGateway(config, { log, signal: stop.signal });
  // At a terminal it means that the terminal was closed, and ends the process as usual.
  if (!process.stdin.isTTY) process.on('SIGHUP', () => void gateway.reloadRoutes());
  const isTriedOut =
    config.mode === 'development' && config.role !== 'worker' && config.database.uri === null;
  const tried = isTriedOut ? await (await import('./tryOut.ts')).openTryOut(config, gateway) : null;
  process.stdout.write(announce(config, gateway.url, tried));
  await asked;
  log.info({}, 'stopping: requests and jobs under way are finished first');
  await gateway.stop();
  process.exit(0);
}

main().catch((error: unknown) => {
  const explained = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${explained}\n`);
  process.exit(1);
});
