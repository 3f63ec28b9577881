/** Names further away than this are no slip of the pen. */
const farthest = 3;

/** The name that differs least from `text`, by inserted, removed and changed characters; null if none is near. */
export function nearestName(text: string, names: readonly string[]): string | null {
  const measured = names.map((name) => ({ name, edits: editsBetween(text, name) }));
  const [best] = measured.toSorted((a, b) => a.edits - b.edits);
  return best && best.edits <= Math.min(farthest, best.name.length / 2) ? best.name : null;
}

/** Characters to insert, remove or replace between two texts (Levenshtein distance). */
export function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
