/** Credits that an account gets each month. Times in ms since the epoch. */
export interface Plan {
  id: string;
  /** The operator's name for it, shown in the ledger. */
  name: string;
  /** Credits per month, from the next one. */
  credits: number;
  /** Start of the first month. */
  startedAt: number;
  /** Number of months granted. */
  months: number;
  /** When the next credits are due; null once the plan has ended. */
  nextAt: number | null;
  endedAt: number | null;
}

/**
 * The same day and time of a later month (UTC), or the last day of a shorter month: a month after 31 January is 28
 * February, two months after it 31 March.
 */
export function monthsAfter(startMs: number, months: number): number {
  const start = new Date(startMs);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(start.getUTCDate(), lastDay);
  return Date.UTC(year, month, day) + (startMs - utcMidnight(start));
}

const utcMidnight = (at: Date) => Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate());

/** Whether an account has a running plan. */
export const hasPlan = ({ plan }: { plan?: Plan }): boolean =>
  plan !== undefined && plan.nextAt !== null;

/** The plan, without further credits. */
export const planEndedAt = (plan: Plan, nowMs: number): Plan => ({
  ...plan,
  nextAt: null,
  endedAt: plan.endedAt ?? nowMs,
});

/** The reference of the grant of a plan's month, by its number from 1; it is booked once. */
export const referenceOfMonth = ({ id }: Pick<Plan, 'id'>, month: number): string =>
  `plan ${id} ${month}`;

/** Whether a reference belongs to a month of this plan. */
export const isMonthOf = (plan: Pick<Plan, 'id'> | undefined, reference?: string | null): boolean =>
  plan !== undefined && reference?.startsWith(`plan ${plan.id} `) === true;
