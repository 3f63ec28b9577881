import type { Router } from '@koa/router';
import type { Account } from '../../../domain/account.ts';
import type { Generation } from '../../../domain/generation.ts';
import { isId } from '../../../domain/ids.ts';
import { probablePercent } from '../../../domain/progress.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { pollHintFor } from '../../../application/pollHint.ts';
import { presentGeneration } from '../../../application/presentGeneration.ts';
import type { HistoryItem } from '../../../application/ports/generationStore.ts';
import { formatSeconds } from './format.ts';
import { requireAccount } from './requireAccount.ts';
import type { Site } from './site.ts';
import { accountOf, type SiteContext, type SiteState } from './siteContext.ts';

const perPage = 20;

/** Every generation of the account, whichever channel made it. */
export function historyPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  router.get('/history', requireAccount(site), async (ctx: SiteContext) => {
    const account = accountOf(ctx);
    const asked = ctx.query['before'];
    const before = typeof asked === 'string' && isId('gen', asked) ? asked : null;
    const items = await deps.database.generations.history(account.id, before, perPage + 1);
    const page = items.slice(0, perPage);
    const names = await keyNames(site, account, page);
    site.show(ctx, 'history', {
      title: 'History',
      items: page.map((item) => describe(site, item, names)),
      isFirst: before === null,
      older: items.length > perPage ? (page.at(-1)?.id ?? null) : null,
    });
  });

  const find = async (ctx: SiteContext): Promise<Generation> => {
    const id = ctx.params['id'] ?? '';
    const found = isId('gen', id) ? await deps.database.generations.find(id) : null;
    if (found?.accountId !== accountOf(ctx).id) throw new Refusal('generation_not_found');
    return found;
  };

  router.get('/generations/:id', requireAccount(site), async (ctx: SiteContext) => {
    const generation = await find(ctx);
    const names = await keyNames(site, accountOf(ctx), [generation]);
    const shown = describe(site, generation, names);
    const progress = progressOf(site, generation);
    site.show(ctx, 'generation', {
      title: titleOf(generation),
      ...(shown.isOpen && { refreshSeconds: progress.retry_after_seconds }),
      generation: {
        ...shown,
        prompt: generation.prompt,
        inputs: generation.inputs,
        parameters: parametersOf(generation),
        consentReference: generation.realPerson?.consentReference ?? null,
        tookSeconds:
          generation.endedAt === null
            ? null
            : formatSeconds((generation.endedAt - generation.createdAt) / 1000),
      },
      progress,
    });
  });

  router.get('/generations/:id/progress', async (ctx: SiteContext) => {
    ctx.set('Content-Type', 'application/json; charset=utf-8');
    if (ctx.state.account === null) {
      ctx.status = 401;
      ctx.body = '{"status":"signed_out"}';
      return;
    }
    const generation = await find(ctx);
    const { status } = generation;
    const progress = progressOf(site, generation);
    ctx.set('Retry-After', String(progress.retry_after_seconds));
    ctx.body = JSON.stringify({ status, status_words: statusWords[status], ...progress });
  });
}

/** The names of the keys that made these, by id; those that have left the account are looked up. */
async function keyNames(
  { deps }: Site,
  { id: accountId, keys }: Account,
  items: readonly Pick<HistoryItem, 'keyId'>[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  const former = items.flatMap(({ keyId }) => (keyId === null || names.has(keyId) ? [] : [keyId]));
  if (former.length === 0) return names;
  return new Map([...names, ...(await deps.database.formerKeys.names(accountId, former))]);
}

/** A generation as its owner sees it in a list. */
function describe(site: Site, item: HistoryItem, names: ReadonlyMap<string, string>) {
  const record = presentGeneration(item, site.addresses, site.deps.clock.now(), null);
  return {
    id: item.id,
    type: item.type,
    mode: item.mode,
    modelName: site.models.find(({ id }) => id === item.model)?.displayName ?? item.model,
    status: item.status,
    statusWords: statusWords[item.status],
    isOpen: item.status === 'queued' || item.status === 'processing',
    createdAt: item.createdAt,
    endedAt: item.endedAt,
    costCredits: item.costCredits,
    isRefunded: record.billing.status === 'refunded',
    madeBy:
      item.channel === 'pc' ? 'this site' : `key “${names.get(item.keyId ?? '') ?? 'removed'}”`,
    title: shorten(item.prompt),
    requestId: item.requestId,
    output: record.output ?? null,
    error: record.error ?? null,
  };
}

const statusWords = {
  queued: 'Waiting',
  processing: 'In the making',
  completed: 'Finished',
  failed: 'Failed',
} as const;

function shorten(text: string): string {
  const letters = [...text.replace(/\s+/g, ' ')];
  return letters.length <= 90 ? letters.join('') : `${letters.slice(0, 88).join('')}…`;
}

function titleOf({ type, parameters }: Generation): string {
  if (type === 'video') return 'Your video';
  return 'n' in parameters && parameters.n > 1 ? 'Your images' : 'Your image';
}

/** The effective parameters in words; what was chosen by the server is among them. */
function parametersOf({ parameters }: Generation): { name: string; value: string }[] {
  return Object.entries(parameters).map(([name, value]) => ({
    name: parameterWords[name] ?? name.replaceAll('_', ' '),
    value: typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value),
  }));
}

const parameterWords: Readonly<Record<string, string>> = {
  duration_seconds: 'Seconds',
  resolution: 'Resolution',
  aspect_ratio: 'Aspect ratio',
  generate_audio: 'Sound',
  seed: 'Seed',
  real_person_mode: 'Real-person mode',
  n: 'Images',
  output_format: 'Format',
};

/** How far it probably is, from what its model has taken lately, and when to look again. */
function progressOf({ deps, durations }: Site, generation: Generation) {
  const { model, parameters, step, startedAt } = generation;
  const wait = pollHintFor({ clock: deps.clock, random: deps.random, durations }, generation);
  if (wait === null) {
    return { percent: 100, next_percent: 100, words: 'Done.', retry_after_seconds: 1 };
  }
  const usual = durations.usual(model, parameters).median;
  const running = startedAt === null ? 0 : (deps.clock.now() - startedAt) / 1000;
  const percent = probablePercent(running, usual);
  const isWaiting = step === 'waiting';
  return {
    percent,
    next_percent: isWaiting ? percent : probablePercent(running + wait, usual),
    words: isWaiting
      ? 'Waits for a place: your other generations run first.'
      : running < usual
        ? `This model usually takes ${formatSeconds(usual)}.`
        : `Takes longer than usual (${formatSeconds(usual)}). Nothing is lost: it ends or is refunded.`,
    retry_after_seconds: wait,
  };
}
