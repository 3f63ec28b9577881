import type { Router } from '@koa/router';
import { pollHintFor } from '../../../application/generations/presentGeneration.ts';
import type { Generation } from '../../../domain/generation.ts';
import { isId } from '../../../domain/ids.ts';
import { probablePercent } from '../../../domain/usualDuration.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { jsonType } from '../../answer.ts';
import { formatNumber, formatSeconds, time } from '../../pages/format.ts';
import { html, type Html } from '../../pages/html.ts';
import { outputsPart } from '../../pages/outputs.ts';
import { keyNames, summarise, type GenerationSummary } from './historyPages.ts';
import { requireAccount } from './signInPages.ts';
import { statusLabels, tagClass } from './statusLabels.ts';
import { accountOf, type Site, type SiteContext, type SiteState } from './site.ts';
import { createZipAnswer } from './zipAnswer.ts';

/** A generation's page, and what its script asks while it is unfinished. */
export function generationPages(router: Router<SiteState>, site: Site): void {
  const find = async (ctx: SiteContext): Promise<Generation> => {
    const id = ctx.params['id'] ?? '';
    const found = isId('gen', id) ? await site.deps.database.generations.find(id) : null;
    if (found?.accountId !== accountOf(ctx).id) throw new Refusal('generation_not_found');
    return found;
  };

  router.get('/generations/:id', requireAccount(site), async (ctx: SiteContext) => {
    const generation = await find(ctx);
    const names = await keyNames(site, accountOf(ctx), [generation]);
    const summary = summarise(site, generation, names);
    const heading = titleOf(generation);
    const title = `${statusLabels[generation.status]}: ${summary.title}`;
    const progress = isOpen(generation) ? progressOf(site, generation) : null;
    const { id, status, prompt } = generation;
    const content = html`<p class="crumb"><a href="/history">History</a></p>
      <h1>
        ${heading} <span class="${tagClass(status)}" id="status">${statusLabels[status]}</span>
      </h1>
      ${progress ? progressPart(id, progress) : resultPart(site, generation, summary)}
      <p class="actions">
        <a class="button" href="/studio?like=${id}">Make a variation</a>
        ${
          summary.output?.image_urls?.[0] !== undefined &&
          html`<a class="button" href="/studio?frame=${id}">Use as first frame</a>`
        }
      </p>
      <h2>Prompt</h2>
      <p class="prompt">${prompt}</p>
      ${inputsPart(generation)} ${detailsPart(generation, summary)}`;
    site.showPage(ctx, { title, content, refreshSeconds: progress?.retry_after_seconds });
  });

  const zip = createZipAnswer(site);
  router.get('/generations/:id/files.zip', requireAccount(site), async (ctx: SiteContext) => {
    zip(ctx, await find(ctx));
  });

  router.get('/generations/:id/progress', async (ctx: SiteContext) => {
    ctx.set('Content-Type', jsonType);
    if (ctx.state.account === null) {
      ctx.status = 401;
      ctx.body = '{"status":"signed_out"}';
      return;
    }
    const generation = await find(ctx);
    const { status } = generation;
    const progress = progressOf(site, generation);
    ctx.set('Retry-After', String(progress.retry_after_seconds));
    ctx.body = JSON.stringify({ status, status_words: statusLabels[status], ...progress });
  });
}

function isOpen({ status }: Generation): boolean {
  return status === 'queued' || status === 'processing';
}

function titleOf({ type, parameters }: Generation): string {
  if (type === 'video') return 'Your video';
  return 'n' in parameters && parameters.n > 1 ? 'Your images' : 'Your image';
}

type Progress = ReturnType<typeof progressOf>;

/** How far it probably is, from what its model has taken lately, and when to look again. */
function progressOf({ deps, durations }: Site, generation: Generation) {
  const { model, parameters, step, createdAt, startedAt } = generation;
  const wait = pollHintFor({ clock: deps.clock, random: deps.random, durations }, generation);
  if (wait === null) {
    const done = { percent: 100, next_percent: 100, words: 'Done.' };
    return { ...done, elapsed_seconds: 0, retry_after_seconds: 1 };
  }
  const { median: usual, most } = durations.usual(model, parameters);
  const running = startedAt === null ? 0 : (deps.clock.now() - startedAt) / 1000;
  const percent = probablePercent(running, usual);
  const isWaiting = step === 'waiting';
  return {
    percent,
    next_percent: isWaiting ? percent : probablePercent(running + wait, usual),
    words: isWaiting
      ? 'Waits for a place: your other generations run first.'
      : running <= most
        ? `Usually takes ${span(usual, most)}.`
        : `Takes longer than usual (${span(usual, most)}). Nothing is lost: it ends or is refunded.`,
    elapsed_seconds: Math.round((deps.clock.now() - createdAt) / 1000),
    retry_after_seconds: wait,
  };
}

/** From half of all to nine of ten: `20 s to 35 s`. */
function span(from: number, to: number): string {
  const [first, last] = [formatSeconds(from), formatSeconds(to)];
  return first === last ? first : `${first} to ${last}`;
}

function progressPart(id: string, progress: Progress): Html {
  const path = `/generations/${id}/progress`;
  const { percent, words, elapsed_seconds: elapsed } = progress;
  return html`<div class="card" data-progress="${path}" data-state="${JSON.stringify(progress)}">
    <label for="progress">Progress</label>
    <progress id="progress" max="100" value="${percent}">${percent} %</progress>
    <p id="progress-words" role="status">${words}</p>
    <p><span id="elapsed">${formatSeconds(elapsed)}</span> so far</p>
    <p class="quiet">
      You can leave this page: the result will be in your <a href="/history">history</a>.
    </p>
  </div>`;
}

/** What came of a generation that has ended. */
function resultPart(
  { addresses, deps }: Site,
  generation: Generation,
  { title, error, output }: GenerationSummary,
): Html {
  const { id, status, costCredits } = generation;
  if (status === 'failed') {
    return html`<div class="problems">
      <p><strong>${error?.message ?? 'It failed.'}</strong></p>
      <p>
        ${formatNumber(costCredits)} credits were refunded.
        ${error?.retryable === true && 'A new try may succeed.'}
      </p>
    </div>`;
  }
  const urls = output?.urls ?? [];
  const [first] = urls;
  if (first === undefined) {
    return html`<p class="notice">
      The file has been deleted: results are kept for a while only.
    </p>`;
  }
  const count = urls.length;
  const shown = outputsPart(generation, { addresses, now: deps.clock.now() }, { urls, title });
  const downloads = urls.map(
    (url, index) =>
      html`<a class="button" href="${url}" download>Download${count > 1 && ` ${index + 1}`}</a> `,
  );
  return html`${shown}
    <p>
      ${count > 1 && html`<a class="button" href="/generations/${id}/files.zip">Download all</a> `}
      ${downloads}
    </p>`;
}

function inputsPart({ inputs }: Generation): Html | null {
  if (inputs.length === 0) return null;
  const rows = inputs.map(({ role, url, ownOutput, ownUpload }) => {
    const source = ownOutput ? 'output of an own generation' : ownUpload ? 'your own file' : url;
    return html`<li>${role.replace('_', ' ')}: ${source}</li>`;
  });
  return html`<h2>Inputs</h2>
    <ul>
      ${rows}
    </ul>`;
}

const parameterLabels: Readonly<Record<string, string>> = {
  duration_seconds: 'Seconds',
  resolution: 'Resolution',
  aspect_ratio: 'Aspect ratio',
  generate_audio: 'Sound',
  seed: 'Seed',
  real_person_mode: 'Real-person mode',
  n: 'Images',
  output_format: 'Format',
};

/** The request with all its parameters; those that the server chose are among them. */
function detailsPart(generation: Generation, summary: GenerationSummary): Html {
  const { createdAt, endedAt, mode, parameters, realPerson } = generation;
  const row = (label: string, value: Html | string) =>
    html`<dt>${label}</dt>
      <dd>${value}</dd>`;
  const optional = (label: string, value: string | null | undefined) =>
    value === null || value === undefined ? null : row(label, value);
  const parameterRows = Object.entries(parameters).map(([name, value]) => {
    const text = typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
    return row(parameterLabels[name] ?? name.replaceAll('_', ' '), text);
  });
  const took = endedAt === null ? null : formatSeconds((endedAt - createdAt) / 1000);
  return html`<h2>Details</h2>
    <dl class="details">
      ${row('Model', summary.modelName)} ${row('Cost', summary.cost)}
      ${row('Made by', summary.madeBy)} ${row('Created', time(createdAt))} ${optional('Took', took)}
      ${optional('Mode', mode?.replace('multimodal', 'references').replaceAll('-', ' '))}
      ${parameterRows} ${optional('Consent reference', realPerson?.consentReference)}
      ${row('Generation id', html`<code>${generation.id}</code>`)}
      ${row('Request id, for support', html`<code>${generation.requestId}</code>`)}
    </dl>`;
}
