import { messageOf } from '@framegate/contract';
import { createLog, loadPretty } from './adapters/system/log.ts';
import { type Config, loadConfig } from './config.ts';
import { startGateway } from './gateway.ts';

/**
 * `npm start`: reads the settings and runs the gateway until a stop signal, or until its code no longer works with the
 * database. A failed start and such an end print one message for the operator, without a stack trace, and exit with a
 * non-zero status.
 */
async function main(): Promise<void> {
  const config = loadConfig();
  const isTrial =
    config.mode === 'development' && config.role !== 'worker' && config.database.uri === null;
  // Log and welcome have the same readers: people, or programs.
  const isForHumans = isTrial || (config.mode === 'development' && process.stderr.isTTY);
  const log = createLog(config.logLevel, 2, isForHumans ? await loadPretty() : null);
  const stop = new AbortController();
  const stopRequest = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        // A second Ctrl-C does not wait for current work.
        if (stop.signal.aborted) process.exit(130);
        stop.abort(new Error(`stopped by ${signal}`));
        resolve();
      });
    }
  });
  if (config.http.servesMcp && config.role !== 'worker') {
    await (await import('./http/mcp/serve.ts')).loadSdk();
  }
  const gateway = await startGateway(config, { log, signal: stop.signal });
  // With a terminal, it means that the terminal was closed, and ends the process as usual.
  if (!process.stdin.isTTY) process.on('SIGHUP', () => void gateway.reloadRoutes());
  const trial = isTrial ? await (await import('./trial.ts')).openTrial(config, gateway) : null;
  const { url } = gateway;
  const welcome = isForHumans
    ? (await import('./welcome.ts')).announce(config, url, trial)
    : announceAsJson(config, url);
  process.stdout.write(welcome);
  const unfit = await Promise.race([stopRequest, gateway.unfit]);
  log.info({}, 'stopping: finishing requests and jobs in progress first');
  await gateway.stop();
  if (unfit) throw unfit;
  process.exit(0);
}

/** The welcome as a line of the log, for programs; without a secret. */
function announceAsJson({ mode, role, urls }: Config, url: string | null): string {
  const addresses = url === null ? {} : { api: urls.base, docs: `${urls.account}/docs` };
  return `${JSON.stringify({ level: 30, mode, role, ...addresses, msg: 'Framegate is running' })}\n`;
}

main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
});
