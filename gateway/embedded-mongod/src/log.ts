/** Log of this package: a subset of pino's methods. Secrets are never logged. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
