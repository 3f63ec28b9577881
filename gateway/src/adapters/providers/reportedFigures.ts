import { redactAnswer } from '../net/redact.ts';
import type { Exchange } from './exchanges.ts';
import { parseJson } from './providerFailures.ts';

/** The most that is kept, in characters, and of what. */
const maxCharacters = 2_000;
const maxFigures = 60;
const maxDepth = 6;
/** An answer that is longer is not searched for figures. */
const maxBody = 262_144;

/** Parts of an answer in which providers say what a job took. */
const figureNames = /^(usage|metrics|billing|billed_?\w*|costs?|price|credits?)$/i;
/** Numbers that say nothing of what was made. */
const idleNames = /^(seed|created|created_?at|timestamp)$/i;
/** Words of people, and credentials: counts of tokens are neither. */
const hiddenNames =
  /prompt|text|caption|secret|password|authorization|signature|credential|cookie|api[-_]?key|access[-_]?key|token$/i;
const decimal = /^-?\d{1,15}(\.\d{1,12})?$/;

/**
 * What a provider reports of its work, for staff: the figures in what its package hands over (usage, metadata)
 * and in its last JSON answer, and nothing else of these, which may quote the prompt.
 */
export function reportedFigures(
  handedOver: { usage?: unknown; providerMetadata?: unknown } | null,
  exchanges: readonly Exchange[],
  apiKey: string,
): { reported?: string } {
  const { usage, providerMetadata: metadata } = handedOver ?? {};
  let left = maxFigures;

  function figuresIn(value: unknown, depth = 0): unknown {
    if (typeof value === 'number' ? Number.isFinite(value) : typeof value === 'boolean') {
      return (left -= 1) >= 0 ? value : undefined;
    }
    if (typeof value === 'string')
      return decimal.test(value) && (left -= 1) >= 0 ? value : undefined;
    if (typeof value !== 'object' || value === null || depth >= maxDepth) return undefined;
    const isSafe = ([name, member]: [string, unknown]) =>
      name.length <= 60 &&
      !idleNames.test(name) &&
      !(hiddenNames.test(name) && typeof member !== 'number');
    const kept = Object.entries(value)
      .filter(isSafe)
      .map(([name, member]) => [name, figuresIn(member, depth + 1)] as const)
      .filter(([, member]) => member !== undefined);
    if (kept.length === 0) return undefined;
    return Array.isArray(value) ? kept.map(([, member]) => member) : Object.fromEntries(kept);
  }

  const body = exchanges.at(-1)?.body ?? null;
  const answer = body === null || body.length > maxBody ? null : namedFigures(parseJson(body));
  const found = figuresIn({ usage, metadata, answer });
  if (found === undefined) return {};
  const text = redactAnswer(JSON.stringify(found), apiKey);
  return { reported: text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text };
}

/** The members of an answer, and of its members, that are named as figures. */
function namedFigures(answer: unknown): Record<string, unknown> {
  const members = membersOf(answer);
  return Object.fromEntries(
    [...members.flatMap(([, member]) => membersOf(member)), ...members].filter(([name]) =>
      figureNames.test(name),
    ),
  );
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : [];
}
