import { setPriority } from 'node:os';
import { load } from '../bench/load.ts';
import { costliestRequests } from './costliest/index.ts';
import { allRoutes } from './routes.ts';
import { rowsOf } from './rows.ts';
import { originOf, prepareShots } from './shots.ts';
import type { Target } from './target.ts';

/*
 * The attackers' process: plays the rows that its parent names, and reports their responses. It has the lowest
 * priority, since real attackers compute on machines of their own.
 */

/** The parent's command: the name of the row, its target, and its length in ms. */
export interface AttackCommand {
  name: string;
  target: Target;
  forMs: number;
  /** Simultaneous connections, replacing the row's own. */
  connections?: number;
}

/** Responses by status; the text of an error instead, if the row could not be played. */
export type AttackReport = { statuses: Record<string, number> } | { failed: string };

const defaultConnections = 16;

setPriority(19);
const rows = new Map(rowsOf(allRoutes(), costliestRequests).map((row) => [row.name, row]));

async function play({ name, target, forMs, connections }: AttackCommand): Promise<AttackReport> {
  const row = rows.get(name);
  if (!row) throw new Error(`there is no row ${name}`);
  if (row.play) return { statuses: await row.play(target, forMs, row.caller) };
  const next = await prepareShots(row, target);
  const { statuses } = await load({
    origins: [originOf(row.route, target)],
    connections: connections ?? row.connections ?? defaultConnections,
    forMs,
    next,
    localAddress: target.localAddress,
  });
  return { statuses };
}

process.on('message', (command: AttackCommand) => {
  const describeFailure = (error: unknown) => ({
    failed: error instanceof Error ? error.message : String(error),
  });
  void play(command)
    .catch(describeFailure)
    .then((report) => process.send?.(report));
});
process.send?.('loaded');
