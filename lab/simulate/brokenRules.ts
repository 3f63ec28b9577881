/** A rule of the money path, and its code when broken. */
interface BrokenRule {
  file: string;
  from: string;
  to: string;
}

const run = 'application/generations/run';

/**
 * Rules whose break the simulation finds, by name. A rule that another one backs up is not among them: breaking it
 * alone breaks no promise.
 */
export const brokenRules: Readonly<Record<string, BrokenRule>> = {
  'an account is written under its version': {
    file: 'adapters/mongo/accounts/writeUnits.ts',
    from: 'filter: { _id: before.id, version: before.version, ...isSpendable }',
    to: 'filter: { _id: before.id, ...isSpendable }',
  },
  'a charge has its entry': {
    file: 'adapters/mongo/accounts/writeUnits.ts',
    from: 'if (entries.length > 0) await ledger',
    to: "if (entries.some(({ kind }) => kind !== 'charge')) await ledger",
  },
  'a provider is called only under a lease that stands': {
    file: `${run}/lease.ts`,
    from: '!lost.signal.aborted && clock.now() < until && performance.now() < ends',
    to: 'until > 0',
  },
  'an order of unknown outcome is not placed again': {
    file: `${run}/runGeneration.ts`,
    from: 'handleUnknownOutcome(deps, generation);',
    to: 'startGeneration(deps, generation, lease);',
  },
  'the attempt is written before the order': {
    file: `${run}/startGeneration.ts`,
    from: "step: 'submitting',",
    to: "step: 'ready',",
  },
  'a first response is kept under its key': {
    file: 'application/generations/create/runIdempotently.ts',
    from: 'if (replay.keptUntil <= clock.now()) {',
    to: 'if (replay.keptUntil > clock.now()) {',
  },
  'a payment is booked once under its reference': {
    file: 'application/credits/grantCredits.ts',
    from: 'if (before) return before;',
    to: 'reference = `${reference} ${requestId}`;',
  },
  'a refund returns credits that have expired': {
    file: 'application/generations/end/endGeneration.ts',
    from: 'refundedPart(charge, refundedCredits)',
    to: 'refundedPart(charge, refundedCredits).filter((lot) => lot.expiresAt === null || lot.expiresAt > now)',
  },
};
