import { pino } from 'pino';
import type { Log } from '../../application/ports.ts';

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
];

/** Structured logs on standard error, so that standard output stays for people and scripts. */
export function createLog(level: string, destination = pino.destination(2)): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secret.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
      serializers: { error: pino.stdSerializers.err },
    },
    destination,
  );
}
