import type { LedgerEntry, LotKind, LotMovement } from '../../domain/credits.ts';
import type { Note } from './auditAccount.ts';
import type { AuditedGeneration } from './ports.ts';

/**
 * Checks a generation against the entries that name it: exactly one charge, of its cost and from the
 * lots that it says; a refund of the same amount exactly when it failed (I2, I4).
 */
export function auditGeneration(
  generation: AuditedGeneration,
  entries: readonly LedgerEntry[],
  note: Note,
): void {
  const document = `generations/${generation.id}`;
  const charges = entries.filter(({ kind }) => kind === 'charge');
  const refunds = entries.filter(({ kind }) => kind === 'refund');
  const cost = generation.costCredits;
  for (const entry of entries) {
    if (entry.accountId !== generation.accountId) {
      note(
        'I2',
        `ledger/${entry.id}`,
        `is of account ${entry.accountId}, its generation of another`,
      );
    }
  }
  const [charge] = charges;
  if (charges.length !== 1) {
    note('I2', document, `has ${charges.length} charges, one is right`);
  } else if (charge && charge.amount !== -cost) {
    note('I2', `ledger/${charge.id}`, `charges ${-charge.amount}, the generation costs ${cost}`);
  } else if (charge && !sameMovements(charge.movements, generation.charge)) {
    note('I2', document, 'names other lots as its payers than its charge does');
  }
  const expected = generation.status === 'failed' ? 1 : 0;
  if (refunds.length !== expected) {
    note('I2', document, `is ${generation.status} and has ${refunds.length} refunds`);
  }
  for (const refund of refunds) {
    if (refund.amount !== cost) {
      note('I2', `ledger/${refund.id}`, `refunds ${refund.amount}, the generation costs ${cost}`);
    } else if (charge && !sameKinds(charge.movements, refund.movements)) {
      note('I2', `ledger/${refund.id}`, 'gives back other kinds of credits than the charge took');
    }
  }
}

function sameMovements(a: readonly LotMovement[], b: readonly LotMovement[]): boolean {
  const write = (movements: readonly LotMovement[]) =>
    movements
      .map(({ lotId, amount }) => `${lotId} ${amount}`)
      .toSorted()
      .join();
  return write(a) === write(b);
}

/** Whether two sets of movements cancel each other out for every kind of credits. */
function sameKinds(a: readonly LotMovement[], b: readonly LotMovement[]): boolean {
  const sums = new Map<LotKind, number>();
  for (const { kind, amount } of [...a, ...b]) sums.set(kind, (sums.get(kind) ?? 0) + amount);
  return [...sums.values()].every((sum) => sum === 0);
}
