/** Structured logging; a subset of pino's methods. Never pass secrets, prompts or URLs. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
