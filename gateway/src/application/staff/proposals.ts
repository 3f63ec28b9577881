import { AdminProblem } from '../admin/adminProblem.ts';
import type { Proposal } from './ports.ts';
import type { Actor } from './runAction.ts';
import type { StaffAction } from './rights.ts';
import type { StaffDeps } from './staffDeps.ts';

/** How long a proposal waits for a second person, in ms: a week. */
const proposalMs = 7 * 24 * 3600 * 1000;

/**
 * Keeps an action until another admin confirms it: what cannot be undone or moves much is not one
 * person's, nor one stolen session's.
 * @returns what the audit log says.
 */
export async function propose(
  { proposals, work }: Pick<StaffDeps, 'proposals' | 'work'>,
  { accountId, email }: Actor,
  what: {
    action: StaffAction;
    slug: string;
    targetId: string;
    reason: string;
    fields: Proposal['fields'];
  },
): Promise<string> {
  const at = work.clock.now();
  const id = work.random.newId('prp');
  await proposals.insert({ ...what, id, at, expiresAt: at + proposalMs, accountId, email });
  return 'It waits for a second admin, who confirms it under “To confirm”.';
}

/** A proposal that this member of staff may confirm. @throws AdminProblem */
export async function requireSecondPerson(
  { proposals }: Pick<StaffDeps, 'proposals'>,
  proposalId: string,
  actor: Actor,
): Promise<Proposal> {
  const proposal = await proposals.find(proposalId);
  if (!proposal) throw new AdminProblem('It was confirmed or refused before, or its week is over.');
  if (proposal.accountId === actor.accountId) {
    throw new AdminProblem('You asked for it yourself: another admin has to confirm it.');
  }
  return proposal;
}
