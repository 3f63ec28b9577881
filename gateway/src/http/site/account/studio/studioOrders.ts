import { createHash } from 'node:crypto';
import { pause } from '@framegate/limits';
import { createGeneration } from '../../../../application/generations/create/createGeneration.ts';
import { extendUploadRetention } from '../../../../application/studio/uploads.ts';
import { canonicalJson } from '../../../../domain/generations/idempotency.ts';
import { parseUploadUrl } from '../../../../domain/generations/uploads.ts';
import { Refusal } from '../../../../domain/refusal.ts';
import { locale } from '../../../../texts/language.ts';
import { text } from '../../../../texts/text.ts';
import { callerAddress } from '../../../context.ts';
import type { Form } from '../../../pages/form.ts';
import { personOf } from '../acting.ts';
import { accountOf, type Site, type SiteContext } from '../site.ts';
import type { StudioForm } from './studioForm.ts';
import { errorsOf } from './studioProblems.ts';

/** Creates the request of a form, or its set, all or none. @returns The id of the last one. @throws Refusal */
export function orderSet(
  site: Site,
  ctx: SiteContext,
  form: Form,
  studio: StudioForm,
): Promise<string> {
  const { body, times } = studio;
  const key = deriveIdempotencyKey(form, canonicalJson({ ...body, times }));
  const place = () => order(site, ctx, studio, { body, key, times });
  // A set may need more of the create rate than there is at the moment.
  return times === 1 ? place() : runInTurn(place, AbortSignal.timeout(patienceMs));
}

/** A line of a list that was not created. */
export interface RefusedLine {
  /** Starts at 1. */
  number: number;
  line: string;
  refusal: Refusal;
  /** The problem as a sentence. */
  problem: string;
}

/** How long an order waits for its account's create rate, in ms; then it or its other lines are refused. */
const patienceMs = 20_000;

/**
 * Creates a request for each line of a list, in order and within the create rate. Each has its own key, which the same
 * list in the same form reproduces, so a repeated submission creates no line twice, even after a lost connection.
 */
export async function orderLines(
  site: Site,
  ctx: SiteContext,
  form: Form,
  studio: StudioForm,
): Promise<{ ids: string[]; refused: RefusedLine[] }> {
  const lines = studio.lines ?? [];
  const list = canonicalJson({ ...studio.body, lines });
  const signal = AbortSignal.timeout(patienceMs);
  const ids: string[] = [];
  const refused: RefusedLine[] = [];
  for (const [index, line] of lines.entries()) {
    const body = { ...studio.body, prompt: line };
    try {
      const key = deriveIdempotencyKey(form, `${index} ${list}`);
      ids.push(await runInTurn(() => order(site, ctx, studio, { body, key }), signal));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { message, fields } = errorsOf({ ...studio, lines: null, body }, error);
      const problem = [message, ...Object.values(fields)].filter((each) => each !== '').join(' ');
      refused.push({ number: index + 1, line, refusal: error, problem });
    }
  }
  return { ids, refused };
}

/** Repeats work refused by the create rate as soon as allowed, until the signal. */
async function runInTurn<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isEarly = error instanceof Refusal && error.code === 'rate_limited';
    if (!isEarly || signal.aborted) throw error;
    await pause((error.retryAfterSeconds ?? 1) * 1000, signal);
    return runInTurn(work, signal);
  }
}

/** The problems of lines as sentences, each once: `Lines 3 to 5: This costs 20 credits, …` */
export function describeRefusedLines(refused: readonly RefusedLine[]): string {
  const groups = Map.groupBy(refused, ({ problem }) => problem);
  return [...groups]
    .map(([problem, lines]) =>
      text(lines.length > 1 ? 'studio.lines' : 'studio.line', { lines: rangesOf(lines), problem }),
    )
    .join(' ');
}

function rangesOf(lines: readonly RefusedLine[]): string {
  const ranges: [number, number][] = [];
  for (const { number } of lines) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  const words = ranges.map(([from, to]) =>
    from === to ? `${from}` : text('generation.span', { from, to }),
  );
  return new Intl.ListFormat(locale().dates).format(words);
}

/** @throws Refusal if the page did not show the form's current price. */
export function checkShownPrice(form: Form, { costCredits }: StudioForm): void {
  if (costCredits === null || form.get('shown_credits') === String(costCredits)) return;
  throw new Refusal('price_changed', { values: { credits: costCredits } });
}

async function order(
  site: Site,
  ctx: SiteContext,
  { path, slots }: StudioForm,
  { body, key, times = 1 }: { body: Record<string, unknown>; key: string; times?: number },
): Promise<string> {
  const response = await createGeneration(site.deps, {
    caller: { accountId: accountOf(ctx).id, keyId: null, personId: personOf(ctx).id },
    path,
    idempotencyKey: key,
    body,
    times,
    requestId: ctx.state.requestId,
    callerAddress: callerAddress(ctx),
  });
  const { id } = JSON.parse(response.body) as { id: string };
  const { mediaUrl } = site.deps.publicUrls;
  if (slots.some(({ url }) => parseUploadUrl(url, mediaUrl) !== null)) {
    for (const each of response.ids ?? [id]) await extendUploadRetention(site.deps, each);
  }
  return id;
}

/**
 * A repeated submission yields the same key; a changed form, such as after "back", yields another.
 */
function deriveIdempotencyKey(form: Form, content: string): string {
  const hash = createHash('sha256').update(`${form.get('form_key')} ${content}`);
  return `site-${hash.digest('base64url')}`;
}
