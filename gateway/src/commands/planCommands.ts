import { maxGrantCredits } from '@framegate/contract';
import type { Plan } from '../domain/credits/plan.ts';
import { isoTimeOrNull } from '../domain/time/isoTime.ts';
import type { Command } from './command.ts';
import { type Flags, UsageError } from './flags.ts';

const maxNameLength = 64;

/** Commands for plans. */
export const planCommands: Readonly<Record<string, Command>> = {
  'plan start': {
    usage: '--account A --name N --credits N [--starts-at ISO]',
    summary:
      "Grants an account credits every month, starting now or at --starts-at; they expire when the next month's credits are granted.",
    flags: { account: 'text', name: 'text', credits: 'text', 'starts-at': 'text' },
    noted: 'with its change',
    prepare(flags) {
      const credits = creditsOf(flags);
      if (credits === undefined) throw new UsageError('--credits is missing.');
      const command = {
        accountId: flags.text('account'),
        name: requirePlanName(flags),
        credits,
        startsAt: flags.time('starts-at') ?? null,
      };
      return async (deps) => {
        const { startPlan } = await import('../application/credits/plans.ts');
        return printedPlan(await startPlan(deps, command));
      };
    },
  },
  'plan change': {
    usage: '--account A [--name N] [--credits N]',
    summary: "Changes a plan's name or credits, starting next month.",
    flags: { account: 'text', name: 'text', credits: 'text' },
    noted: 'with its change',
    prepare(flags) {
      const credits = creditsOf(flags);
      const command = {
        accountId: flags.text('account'),
        ...(flags.has('name') && { name: requirePlanName(flags) }),
        ...(credits !== undefined && { credits }),
      };
      return async (deps) => {
        const { changePlan } = await import('../application/credits/plans.ts');
        return printedPlan(await changePlan(deps, command));
      };
    },
  },
  'plan end': {
    usage: '--account A',
    summary: 'Ends a plan; credits already granted remain until they expire.',
    flags: { account: 'text' },
    noted: 'with its change',
    prepare(flags) {
      const accountId = flags.text('account');
      return async (deps) => {
        const { endPlan } = await import('../application/credits/plans.ts');
        return printedPlan(await endPlan(deps, accountId));
      };
    },
  },
};

const creditsOf = (flags: Flags) => flags.wholeNumber('credits', 1, maxGrantCredits);

function requirePlanName(flags: Flags): string {
  const name = flags.text('name').trim();
  if (name !== '' && name.length <= maxNameLength) return name;
  throw new UsageError(`--name must be 1 to ${maxNameLength} characters long.`);
}

/** A plan as printed by commands. */
export function printedPlan({ id, name, credits, months, nextAt, startedAt, endedAt }: Plan) {
  return {
    plan_id: id,
    name,
    credits,
    started_at: isoTimeOrNull(startedAt),
    months,
    next_at: isoTimeOrNull(nextAt),
    ended_at: isoTimeOrNull(endedAt),
  };
}
