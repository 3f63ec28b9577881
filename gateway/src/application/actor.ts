import { AsyncLocalStorage } from 'node:async_hooks';
import type { LoggedPerson, Signature } from '../domain/teamLog.ts';

const current = new AsyncLocalStorage<LoggedPerson>();

/**
 * Runs a function, and everything that it awaits, in the name of a person: changes of accounts are then noted as that
 * person's, whichever code makes them.
 */
export function inNameOf<T>({ id, email }: LoggedPerson, run: () => T): T {
  return current.run({ id, email }, run);
}

/** The signature of what is done now: that of the operator outside `inNameOf`. */
export function signature(nowMs: number): Signature {
  return { at: nowMs, by: current.getStore() ?? null };
}
