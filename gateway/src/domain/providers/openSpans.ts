/** A time span, in ms since the epoch. */
export interface TimeSpan {
  from: number;
  until: number;
}

/**
 * The times within a range at which a circuit was open.
 * @param changes Its openings and closings in the range, oldest first.
 * @param isOpen Whether it is open at the end of the range.
 */
export function openSpans(
  changes: readonly { at: number; opens: boolean }[],
  range: TimeSpan,
  isOpen: boolean,
): TimeSpan[] {
  const [first] = changes;
  let from = (first ? !first.opens : isOpen) ? range.from : null;
  const spans: TimeSpan[] = [];
  for (const { at, opens } of changes) {
    if (opens) {
      from ??= at;
    } else if (from !== null) {
      spans.push({ from, until: at });
      from = null;
    }
  }
  return from === null ? spans : [...spans, { from, until: range.until }];
}
