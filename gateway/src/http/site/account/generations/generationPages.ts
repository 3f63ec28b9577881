import type { Router } from '@koa/router';
import { cancelGeneration } from '../../../../application/generations/end/cancelGeneration.ts';
import { takeFrame } from '../../../../application/studio/madeUploads.ts';
import type { Generation } from '../../../../domain/generations/generation.ts';
import type { OrderedWork } from '../../../../domain/generations/order.ts';
import { Refusal } from '../../../../domain/refusal.ts';
import { describeRefusal } from '../../../../texts/describeRefusal.ts';
import { text } from '../../../../texts/text.ts';
import { does } from '../../../atWork.ts';
import { jsonType } from '../../../context.ts';
import { redirect } from '../../../pages/context.ts';
import { ago, date, formatSeconds, type Html, html } from '../../../pages/html.ts';
import { requireMayActOn } from '../acting.ts';
import { labelOf, statusLabels } from '../pictures.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import {
  accountOf,
  keepNotice,
  type Site,
  type SiteContext,
  type SiteState,
  takesFrames,
} from '../site.ts';
import { actsPart } from './generationActs.ts';
import { progressOf } from './generationProgress.ts';
import { findOwn, generationPath, stageOf } from './generationStage.ts';
import { findMakers, type GenerationSummary, summarise } from './generationSummary.ts';
import { historyPath } from './historyFilter.ts';
import { inputRoleLabel, modeLabel, parameterLabel, priceLabel } from './labels.ts';
import type { ZipResponse } from './zipResponse.ts';

/** Page of a generation, its progress for the page's script, and its files. */
export function addGenerationPages(router: Router<SiteState>, site: Site, zip: ZipResponse): void {
  const find = async (ctx: SiteContext): Promise<Generation> => {
    const generation = await findOwn(site, ctx, ctx.params['id']);
    if (!generation) throw new Refusal('generation_not_found');
    return generation;
  };

  router.get('/generations/:id', requireSignedIn(site), async (ctx: SiteContext) => {
    const generation = await find(ctx);
    const makers = await findMakers(site, ctx, [generation]);
    const summary = summarise(site, generation, makers);
    const title = `${labelOf(generation).words}: ${summary.title}`;
    const stage = stageOf(site, ctx, generation, summary);
    const content = html`<p class="crumb"><a href="${historyPath}">${text('site.history')}</a></p>
      <h1>${stage.heading}</h1>
      ${stage.content} ${actsPart(site, ctx, generation, summary)}
      ${
        generation.prompt !== '' &&
        html`<h2>${text('generation.prompt')}</h2>
          <p class="prompt" dir="auto">${generation.prompt}</p>`
      }
      ${inputsPart(generation)} ${detailsPart(generation, summary)}`;
    site.showPage(ctx, { title, content, refreshSeconds: stage.refreshSeconds });
  });

  // Opens the studio with a frame of a finished video. After a sign-in, the browser returns to the video's page.
  const requireSignIn = requireSignedIn(site, generationPath);
  router.post('/generations/:id/frame', does('order'), requireSignIn, async (ctx: SiteContext) => {
    const generation = await find(ctx);
    if (accountOf(ctx).status !== 'active') throw new Refusal('account_suspended');
    if (!takesFrames(site) || generation.type !== 'video') throw new Refusal('not_found');
    const which = ctx.state.form.get('which') === 'first' ? 'first' : 'last';
    const upload = await takeFrame(site.deps, generation, which);
    keepNotice(ctx, text(which === 'last' ? 'studio.isContinued' : 'studio.isFirstFrame'));
    redirect(ctx, `/studio?like=${generation.id}&frame=${upload}`);
  });

  router.post('/generations/:id/cancel', requireSignIn, async (ctx: SiteContext) => {
    const generation = await find(ctx);
    requireMayActOn(ctx, 'delete own work', generation);
    const { id } = generation;
    try {
      await cancelGeneration(site.deps, id);
      keepNotice(ctx, text('generation.cancelledNotice'));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      keepNotice(ctx, describeRefusal(error));
    }
    redirect(ctx, `/generations/${id}`);
  });

  router.get(
    '/generations/:id/files.zip',
    does('export'),
    requireSignedIn(site),
    async (ctx: SiteContext) => {
      const generation = await find(ctx);
      await zip(ctx, [generation], `${site.deps.brand.slug}-${generation.id}`);
    },
  );

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
    ctx.body = JSON.stringify({ status, status_words: text(statusLabels[status]), ...progress });
  });
}

function inputsPart({ inputs }: OrderedWork): Html | null {
  if (inputs.length === 0) return null;
  const rows = inputs.map(({ role, url, ownOutput, ownUpload }) => {
    const source = ownOutput
      ? text('generation.ownOutput')
      : ownUpload
        ? text('generation.ownFile')
        : url;
    return html`<li>${inputRoleLabel(role)}: ${source}</li>`;
  });
  return html`<h2>${text('generation.inputs')}</h2>
    <ul>
      ${rows}
    </ul>`;
}

function formatValue(name: string, value: unknown): string {
  if (typeof value === 'boolean') return text(value ? 'generation.yes' : 'generation.no');
  return name === 'output_format' ? String(value).toUpperCase() : String(value);
}

/** All parameters of the request, including defaults. */
function detailsPart(generation: Generation, summary: GenerationSummary): Html {
  const { createdAt, endedAt, mode, parameters, realPerson } = generation;
  const row = (label: string, value: Html | string) =>
    html`<dt>${label}</dt>
      <dd>${value}</dd>`;
  const optional = (label: string, value: string | null | undefined) =>
    value === null || value === undefined ? null : row(label, value);
  const parameterRows = Object.entries(parameters).map(([name, value]) =>
    value === null ? null : row(parameterLabel(generation.type, name), formatValue(name, value)),
  );
  const keptAt = summary.output?.urls === undefined ? null : generation.outputsRemoveAt;
  const took = endedAt === null ? null : formatSeconds((endedAt - createdAt) / 1000);
  return html`<h2>${text('generation.details')}</h2>
    <dl class="facts">
      ${row(text('generation.model'), summary.modelName)}
      ${row(text('generation.costLabel'), [summary.cost, priceLabel(generation)].filter(Boolean).join(': '))}
      ${row(text('generation.madeBy'), summary.madeBy)}
      ${row(text('generation.created'), ago(createdAt))} ${optional(text('generation.took'), took)}
      ${keptAt !== null && row(text('generation.kept'), date(keptAt))}
      ${optional(text('generation.mode'), mode && modeLabel(mode))} ${parameterRows}
      ${optional(text('generation.consent'), realPerson?.consentReference)}
      ${row(text('generation.id'), html`<code>${generation.id}</code>`)}
      ${row(text('generation.requestId'), html`<code>${generation.requestId}</code>`)}
    </dl>`;
}
