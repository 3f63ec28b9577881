/** Where this package reports what it does: a subset of pino's methods. It never gets a secret. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
