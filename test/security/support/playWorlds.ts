import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { AccessKind } from '../../../gateway/src/domain/signIn/access.ts';
import {
  type AccessEnd,
  accessEnds,
  type Fate,
} from '../../../gateway/src/domain/signIn/accessEnds.ts';
import { startOperatorWorld } from '../../operator/support/operatorWorld.ts';
import { startForger } from '../../signOn/support/forger.ts';
import { until } from '../../support/until.ts';
import { buildWorld } from './accessWorld.ts';
import { type WorldPlan, worldPlan } from './worldPlan.ts';

const opens: Readonly<Record<Fate, boolean>> = {
  gone: false,
  barred: false,
  held: false,
  offered: true,
  bounded: true,
  kept: true,
};

/** Acts that end something the world must have. */
const needs: Partial<Record<AccessEnd, Partial<WorldPlan>>> = {
  'enrol staff': { isStaff: true, times: 'once' },
  'remove a passkey': { isStaff: true, times: 'once' },
  'unlink an identity': { hasIdentity: true },
  'begin the second factor': { hasFactor: false, times: 'once' },
  'end the second factor': { hasFactor: true },
  'demote in a team': { role: 'member' },
};

/** The remaining access depends on the access before. */
const beganClosed = (row: AccessKind, role: string) =>
  row === 'key made in a team' && role === 'billing';

/**
 * Plays each act of the inventory in random worlds over HTTP, and tries every row afterwards.
 * @param count The number of worlds; acts take turns.
 * @returns The access left over, with the plan of its world.
 */
export async function playWorlds(count: number, seed: number): Promise<string[]> {
  const forger = await startForger();
  const world = await startOperatorWorld({
    SIGN_IN: 'both',
    OIDC_NAME: 'Example ID',
    ...forger.client,
  });
  const ends = Object.keys(accessEnds) as AccessEnd[];
  const { attempts } = world.gateway.collections;
  const leftOver: string[] = [];
  for (const [index, drawn] of fc.sample(worldPlan, { numRuns: count, seed }).entries()) {
    const end = ends[index % ends.length] ?? 'erase';
    // Most acts are of customers alone.
    const plan = { ...drawn, isStaff: false, ...needs[end] };
    const told = `world ${index} of seed ${seed}, ${end}, ${JSON.stringify(plan)}`;
    // All worlds have one address.
    await attempts.deleteMany({});
    const { tries, act, isDone, createInTeam, spent } = await buildWorld(world, forger, plan, end);
    const creates = plan.creates ? [createInTeam(), createInTeam()] : [];
    const twice = plan.times === 'in parallel' ? [act(end), act(end)] : [act(end)];
    await Promise.all([...creates, ...twice]);
    if (plan.times === 'twice' || !(await isDone(end))) await act(end);
    for (const [name, isOpen] of Object.entries(tries)) {
      const row = name as AccessKind;
      const fate = accessEnds[end][row];
      const expected = opens[fate] && !beganClosed(row, plan.role);
      let found = await isOpen();
      // A recently used key is refused within five seconds.
      if (found && !expected && row === 'key made in a team') {
        await until(async () => !(found = await isOpen()), row, 8_000).catch(() => undefined);
      }
      if (found !== expected) {
        leftOver.push(`${row} is ${fate} but ${found ? 'open' : 'closed'}: ${told}`);
      }
    }
    await Promise.all(Array.from({ length: 4 }, () => createInTeam()));
    const limit = Math.min(plan.left ?? Infinity, plan.keyLeft ?? Infinity);
    if (spent() > limit) leftOver.push(`${spent()} credits spent of ${limit}: ${told}`);
  }
  await world.gateway.stop();
  await forger.close();
  // No worker runs here, which is reported after three minutes.
  const { errors } = world.gateway;
  expect(errors.filter((line) => !line.includes('upkeep_stands_still'))).toEqual([]);
  return leftOver;
}
