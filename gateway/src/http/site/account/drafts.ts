import { randomUUID } from 'node:crypto';
import { formOf, type Form } from './form.ts';
import { takeKept } from './sessions.ts';
import type { SiteContext } from './siteContext.ts';

/** A random name for a form: whoever sends the form twice means one thing. */
export function newFormKey(): string {
  return randomUUID();
}

/** What was typed into this page's form before a sign-in came between; null when nothing was. */
export function takeDraft(ctx: SiteContext, path: string): Form | null {
  const kept = takeKept(ctx, 'draft');
  if (kept === null) return null;
  try {
    const [forPath, text] = JSON.parse(kept) as [unknown, unknown];
    if (forPath !== path || typeof text !== 'string') return null;
    const fields: unknown = JSON.parse(text);
    if (!Array.isArray(fields)) return null;
    return formOf(fields.filter(isField));
  } catch {
    return null;
  }
}

function isField(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((x) => typeof x === 'string');
}
