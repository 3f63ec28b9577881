/** Maximum distance of a name that counts as a typing error. */
const maxEdits = 3;

/** The name with the fewest inserted, removed and changed characters compared to `text`; null if none is close. */
export function nearestName(text: string, names: readonly string[]): string | null {
  const candidates = names.map((name) => ({ name, edits: editsBetween(text, name) }));
  const [best] = candidates.toSorted((a, b) => a.edits - b.edits);
  return best && best.edits <= Math.min(maxEdits, best.name.length / 2) ? best.name : null;
}

/** The end of a sentence about a wrong name: the valid name that was probably meant, if any. */
export function didYouMean(name: string, valid: readonly string[]): string {
  const near = nearestName(name, valid);
  return near === null ? '' : ` (did you mean "${near}"?)`;
}

/**
 * Characters to insert, remove or replace between two texts (Levenshtein distance).
 * @param any A character in `a` that matches any text.
 */
export function editsBetween(a: string, b: string, any = ''): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...a].entries()) {
    const next = [letter === any ? (row[0] ?? index) : (row[0] ?? index) + 1];
    for (const [column, other] of [...b].entries()) {
      const [before = 0, above = 0, left = 0] = [row[column], row[column + 1], next[column]];
      const edited = Math.min(before + (letter === other ? 0 : 1), above + 1, left + 1);
      next.push(letter === any ? Math.min(above, left) : edited);
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The message of a caught error, or the text of any other thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a system error, such as ENOENT; undefined for any other value. */
export function errorCodeOf(error: unknown): string | undefined {
  // Not by class: an error may come from another realm.
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** A URL or path without slashes at its end. */
export function withoutEndSlashes(text: string): string {
  return text.replace(/(?<!\/)\/+$/, '');
}

/** Escapes a string as a pattern that matches exactly that string. (RegExp.escape is not in Node 22.) */
export function literalPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
