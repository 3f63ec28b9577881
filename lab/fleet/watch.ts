import type { OpenDatabase } from '../../gateway/src/compose/openDatabase.ts';

/** States of the generations as visible to a client. Times in ms since the epoch. */
export interface Watch {
  /** When each became `completed` or `failed`. */
  endedAt: ReadonlyMap<string, number>;
  /** Records when the generations in progress in the process move again. */
  follow(processId: number): Promise<void>;
  /** How long each followed generation stalled after its process was killed, in ms. */
  stoodStillMs(): number[];
  close(): Promise<void>;
}

/** Follows the generations' changes from now on. */
export function watchGenerations({ collections }: OpenDatabase): Watch {
  const endedAt = new Map<string, number>();
  const followed = new Map<string, number>();
  const stoodStill: number[] = [];
  const changes = collections.generations.watch([
    { $match: { operationType: 'update' } },
    { $project: { operationType: 1, documentKey: 1, 'updateDescription.updatedFields': 1 } },
  ]);
  changes.on('change', (change) => {
    if (change.operationType !== 'update') return;
    const id = change.documentKey._id;
    const fields = change.updateDescription.updatedFields ?? {};
    const since = followed.get(id);
    if (since !== undefined && 'step' in fields) {
      stoodStill.push(Date.now() - since);
      followed.delete(id);
    }
    if (fields['status'] === 'completed' || fields['status'] === 'failed') {
      endedAt.set(id, Date.now());
    }
  });
  return {
    endedAt,
    async follow(processId) {
      const killedAt = Date.now();
      const calling = await collections.generations
        .find({ open: true, step: 'submitting' }, { projection: { timeline: { $slice: -1 } } })
        .toArray();
      for (const { _id, timeline } of calling) {
        const [last] = timeline as { process?: string }[];
        if (last?.process?.endsWith(` ${processId}`)) followed.set(_id, killedAt);
      }
    },
    stoodStillMs: () => [
      ...stoodStill,
      // Those that never moved again.
      ...[...followed].filter(([id]) => !endedAt.has(id)).map(([, since]) => Date.now() - since),
    ],
    close: () => changes.close(),
  };
}
