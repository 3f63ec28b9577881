import { AsyncLocalStorage } from 'node:async_hooks';
import type { Actor } from '../../application/ports/actor.ts';
import type { LoggedPerson } from '../../domain/teams/teamLog.ts';

const current = new AsyncLocalStorage<LoggedPerson>();

/** The actor of the running request. */
export const actor: Actor = {
  inNameOf: ({ id, email }, run) => current.run({ id, email }, run),
  signature: (at) => ({ at, by: current.getStore() ?? null }),
};
