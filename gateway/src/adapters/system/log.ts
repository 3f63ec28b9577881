import { pino } from 'pino';
import { errorCodeOf, type Log } from '@framegate/contract';
import { boundFields, boundText } from './logBounds.ts';
import { redactErrorText, redactLine } from './redact.ts';

/** pino's number for the level `warn`. */
const warnLevel = 40;

/** Maximum characters of an error's message, stack, and name or code. */
const maxMessage = 1_000;
const maxStack = 4_000;
const maxName = 100;

/** An error in the log. Other properties are omitted, because libraries add sent data. */
interface DescribedError {
  name: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: DescribedError;
}

/** Describes an error with its causes (five deep) within bounds, without keys, email addresses, URLs or sent data. */
export function describeError(error: unknown, depth = 5): DescribedError {
  if (!isError(error)) return { name: typeof error, message: 'not an Error was thrown' };
  const code = errorCodeOf(error);
  return {
    name: boundText(error.name, maxName),
    message: redactErrorText(boundText(error.message, maxMessage)),
    ...(code !== undefined && { code: boundText(code, maxName) }),
    ...(error.stack !== undefined && { stack: redactErrorText(boundText(error.stack, maxStack)) }),
    ...(error.cause !== undefined && depth > 1 && { cause: describeError(error.cause, depth - 1) }),
  };
}

/** Not by class: an error may come from another realm. */
function isError(value: unknown): value is Error {
  if (typeof value !== 'object' || value === null) return false;
  if (!('message' in value && 'stack' in value)) return false;
  return typeof value.message === 'string' && typeof value.stack === 'string';
}

function presentError(error: unknown): unknown {
  return typeof error === 'string' ? redactErrorText(boundText(error)) : describeError(error);
}

/**
 * Loads a formatter that makes JSON lines readable at a terminal; null if its package is not installed, as in a
 * production installation.
 */
export async function loadPretty(): Promise<((line: string) => string) | null> {
  const loaded = await import('pino-pretty').catch(() => null);
  if (loaded === null) return null;
  const { prettyFactory, isColorSupported } = loaded.default;
  return prettyFactory({
    colorize: isColorSupported && process.stderr.isTTY,
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
  });
}

/**
 * Creates structured logs on standard error; standard output belongs to commands' results. Lines are written by the
 * page or twice a second; a warning or an error is written immediately, with all lines before it.
 * @param pretty From `loadPretty`; without it lines are JSON, with it they are written immediately.
 */
export function createLog(
  level: string,
  fd = 2,
  pretty: ((line: string) => string) | null = null,
): Log {
  const minLength = pretty === null ? 4096 : 0;
  const destination = pino.destination({ fd, minLength, periodicFlush: 500, sync: true });
  process.once('exit', () => {
    destination.flushSync();
  });
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: (fields) => boundFields(fields, isError) },
      serializers: { error: presentError },
      hooks: {
        logMethod([fields, message, ...values], method, number) {
          const sentence = typeof message === 'string' ? boundText(message) : message;
          method.apply(this, [fields, sentence, ...values]);
          if (number >= warnLevel) destination.flushSync();
        },
        // Applies to every field.
        streamWrite: pretty === null ? redactLine : (line) => pretty(redactLine(line)),
      },
    },
    destination,
  );
}
