import type { LoggedPerson, Signature } from '../../domain/teams/teamLog.ts';

/** The person on whose behalf something is done. */
export interface Actor {
  /**
   * Runs a function, and everything that it awaits, on behalf of a person: changes of accounts are then logged as
   * that person's, whichever code makes them.
   */
  inNameOf<T>(person: LoggedPerson, run: () => T): T;
  /** The signature of an act at a time in ms since the epoch; the operator's outside `inNameOf`. */
  signature(nowMs: number): Signature;
}
