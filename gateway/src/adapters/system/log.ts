import { pino } from 'pino';
import type { Log } from '../../application/ports/log.ts';
import { describeError, redactText } from '../../domain/describeError.ts';
import { redactLine } from '../net/redact.ts';

/** pino's number of the level `warn`. */
const warning = 40;

/** Names of fields whose values never reach a log. */
const secret = [
  'authorization',
  'apiKey',
  'api_key',
  'password',
  'secret',
  'cookie',
  'prompt',
  'url',
  // A provider's answer may quote the prompt; staff read it at the generation.
  'note',
  'consentReference',
];

/** An error without what libraries put into its fields, such as a request's body. */
function presentError(error: unknown): unknown {
  if (error instanceof Error) return describeError(error);
  return typeof error === 'string' ? redactText(error) : error;
}

/**
 * Structured logs on standard error, so that standard output stays for people and scripts. Lines are
 * written by the page or twice a second; a warning or an error is written at once, with all before it.
 */
export function createLog(level: string, fd = 2): Log {
  const destination = pino.destination({ fd, minLength: 4096, periodicFlush: 500, sync: true });
  process.once('exit', () => {
    destination.flushSync();
  });
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: secret.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[redacted]',
      },
      serializers: { error: presentError, err: presentError },
      hooks: {
        logMethod(args, method, number) {
          method.apply(this, args);
          if (number >= warning) destination.flushSync();
        },
        // Whatever field it came by.
        streamWrite: redactLine,
      },
    },
    destination,
  );
}
