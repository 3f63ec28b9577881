/** The part of a pino logger that the renderer uses. */
export type Log = Record<'info' | 'warn' | 'error', (data: object, message: string) => void>;
