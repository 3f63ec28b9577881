/** A logger for a client's messages, such as `console` and the usual loggers. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

/**
 * Levels of the log: `debug` every response, `info` creates and downloads, `warn` repeated calls, `error` failed calls;
 * each level includes those after it.
 */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'off';

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'off'];

/** Restricts a logger to a level and those after it. */
export function atLevel(logger: Logger, level: LogLevel): Logger {
  const first = levels.indexOf(level);
  const methodFor = (name: Exclude<LogLevel, 'off'>) =>
    levels.indexOf(name) < first ? () => undefined : (message: string) => logger[name](message);
  return {
    debug: methodFor('debug'),
    info: methodFor('info'),
    warn: methodFor('warn'),
    error: methodFor('error'),
  };
}

/** Whether this is a level. */
export const isLogLevel = (name: string): name is LogLevel => levels.some((each) => each === name);
