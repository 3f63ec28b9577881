import { isApiKey } from '../accounts/apiKey.ts';
import { type IdPrefix, isId } from '../ids.ts';
import { normaliseEmail } from '../signIn/email.ts';

/** One thing to look up. */
export interface Search {
  kind:
    | 'generation'
    | 'account'
    | 'key'
    | 'request'
    | 'apiKey'
    /** The start of an id or of a key. */
    | 'start'
    | 'email'
    | 'lastFour'
    /** A consent reference, a provider's task, an Agenda job, a payment, or the operator's id for a customer. */
    | 'reference'
    /** A reference, the end of a key, or the start of an address. */
    | 'text';
  value: string;
}

/** A search by staff. */
export interface ParsedSearch {
  /** Most certain first; the first group with a match is the answer. */
  groups: Search[][];
  /** Number of ids beyond those of the first group. */
  idsLeftOut: number;
}

const idKinds: Partial<Record<IdPrefix, Search['kind']>> = {
  gen: 'generation',
  acct: 'account',
  key: 'key',
  req: 'request',
};
const idPattern = /\b(?:gen|acct|key|req)_[0-9a-hjkmnp-tv-z]{26}\b/gi;
const keyPattern = /\bfg_live_[0-9A-Za-z]{38}\b/g;
/** The start of an id, or of a key, whose letters are case-sensitive. */
const startPattern =
  /\b(?:(?:gen|acct|key|req)_[0-9a-hjkmnp-tv-z]{3,25}|fg_live_[0-9A-Za-z]{1,37})(?![0-9A-Za-z…])/g;
/** An id without its prefix, as a double click copies it. */
const bareIdPattern = /(?<![0-9A-Za-z_…])[0-7][0-9a-hjkmnp-tv-z]{25}(?![0-9A-Za-z_])/gi;
const emailPattern =
  /(?<![^\s<>()[\]"',;:])[^\s<>()[\]"',;:]+@[^\s<>()[\]"',;:]+[^\s<>()[\]"',;:.!?]/g;
/** The end of a key as shown on pages: `…cVWE`, or `fg_live_…cVWE`. */
const endPattern = /(?:…|\.{3})([0-9A-Za-z]{4})\b/g;

/** Maximum characters of a pasted email or log that are searched for ids, and of other searches. */
const maxPastedCharacters = 10_000;
const maxLength = 300;
/** Maximum ids per search: as many as a support shift pastes at once. */
const maxIds = 50;
/** Maximum other things per group. */
const maxOthers = 20;

/**
 * Parses a search: an id, address, key or reference, alone or anywhere in pasted text such as a whole email. Words
 * of an email are looked up as references only if it contains nothing more certain.
 */
export function parseSearch(typed: string): ParsedSearch {
  const pasted = typed.slice(0, maxPastedCharacters);
  const all = (pattern: RegExp, part = 0) => [
    ...new Set([...pasted.matchAll(pattern)].map((match) => match[part] ?? '')),
  ];
  const some = (kind: Search['kind'], values: readonly string[]) =>
    values.slice(0, maxOthers).map((value): Search => ({ kind, value }));

  const ids = all(idPattern).map((id) => id.toLowerCase());
  const wholeIds = [...new Set(ids)].flatMap(idSearch);
  const bareIds = [...new Set(all(bareIdPattern).map((id) => id.toLowerCase()))];
  const text = typed.trim().slice(0, maxLength);
  const groups: Search[][] = [
    wholeIds.slice(0, maxIds),
    [
      ...some(
        'apiKey',
        all(keyPattern).filter((key) => isApiKey(key)),
      ),
      ...some('start', all(startPattern)),
    ],
    bareIds.slice(0, maxOthers).flatMap((id) =>
      some(
        'start',
        Object.keys(idKinds).map((prefix) => `${prefix}_${id}`),
      ),
    ),
    some('email', emailsIn(pasted)),
    some('lastFour', all(endPattern, 1)),
    text === '' ? [] : [{ kind: 'text', value: text }],
    some('reference', referencesIn(pasted)),
  ];
  return {
    groups: groups.filter(({ length }) => length > 0),
    idsLeftOut: Math.max(0, wholeIds.length - maxIds),
  };
}

/** The email addresses in a pasted text. */
export function emailsIn(text: string): string[] {
  const matches = text.slice(0, maxPastedCharacters).match(emailPattern) ?? [];
  return [...new Set(matches.flatMap((match) => normaliseEmail(match) ?? []))].slice(0, maxOthers);
}

function idSearch(value: string): Search[] {
  const prefix = value.slice(0, value.indexOf('_')) as IdPrefix;
  const kind = idKinds[prefix];
  return kind && isId(prefix, value) ? [{ kind, value }] : [];
}

/** Words with a digit, which references have and sentences rarely do, without surrounding punctuation. */
function referencesIn(text: string): string[] {
  const words = text.split(/\s+/).map((word) => word.replaceAll(/^\W+|(?<!\W)\W+$/g, ''));
  const likely = words.filter((word) => /\d/.test(word) && word.length >= 4 && word.length <= 200);
  return [...new Set(likely)];
}
