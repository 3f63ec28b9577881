import type { HistoryItem } from '../../../../application/ports/generations.ts';
import type { Generation } from '../../../../domain/generations/generation.ts';
import { text } from '../../../../texts/text.ts';
import { tokenField } from '../../../pages/elements.ts';
import { newFormKey } from '../../../pages/form.ts';
import { attributes, formatNumber, type Html, html } from '../../../pages/html.ts';
import { mayActOn } from '../acting.ts';
import { accountOf, type Site, type SiteContext, takesFrames } from '../site.ts';
import { pictureId } from '../studio/recentWork.ts';
import { heart, heartsForm } from '../wall/wallParts.ts';
import type { GenerationSummary } from './generationSummary.ts';

/** Actions on a generation, on its own page: the usual ones in a row, the others below it on demand. */
export function actsPart(
  site: Site,
  ctx: SiteContext,
  generation: Generation,
  summary: GenerationSummary,
): Html {
  const { id, prompt, status, endedAt, deletedAt } = generation;
  const { urls = [], image_urls: images = [], video_url: video } = summary.output ?? {};
  const hasSeveral = urls.length > 1;
  const downloads = urls.map((url, index) => {
    const own = attributes({ class: hasSeveral ? 'button second' : 'button', href: url });
    const words = text('generation.download', { number: numberAmong(urls, index) });
    return html`<a ${own} download>${words}</a>`;
  });
  const animations = images.map((_url, index) =>
    link(
      `/studio?frame=${pictureId(id, index)}`,
      text('generation.animateImage', { number: numberAmong(images, index) }),
    ),
  );
  const isRepeatable = status !== 'failed' && prompt !== '';
  const hasFrames = takesFrames(site) && video !== undefined;
  const isKept = endedAt !== null && deletedAt === undefined;
  const isFailed = status === 'failed';
  const usual = [
    isFailed && tryAgainForm(site, ctx, generation),
    isFailed && link(`/studio?like=${id}`, text('generation.changeInStudio')),
    ...(hasSeveral ? [archiveLink(id)] : downloads),
    isRepeatable && link(`/studio?like=${id}`, text('generation.makeVariation')),
    isRepeatable && link(`/studio?like=${id}&seed=same`, text('generation.sameSeed')),
    ...(hasSeveral ? [] : animations),
    hasFrames && frameButton('last', text('generation.continueFromLast')),
    urls.length > 0 &&
      mayActOn(ctx, 'publish own work', generation) &&
      link(`/generations/${id}/share`, text('share.title')),
    isKept && heart(summary, { class: 'second heart' }, text('wall.favourite')),
  ].filter(isShown);
  const others = [
    ...(hasSeveral ? [...downloads, ...animations] : []),
    hasFrames && frameButton('first', text('generation.useItsFirst')),
    isKept &&
      mayActOn(ctx, 'delete own work', generation) &&
      link(`/history/delete?id=${id}`, text('generation.delete')),
  ].filter(isShown);
  const isOneRow = usual.length + others.length <= maxInRow;
  return html`${hasFrames && frameForm(ctx, id)} ${isKept && heartsForm(ctx, `/generations/${id}`)}
    <div class="inline">${usual} ${isOneRow && others}</div>
    ${!isOneRow && others.length > 0 && menu(others)}`;
}

/** Maximum visible actions: with more, the usual ones would be hard to find. */
const maxInRow = 6;

const isShown = (act: Html | false | null): act is Html => act !== false && act !== null;

const menu = (acts: readonly Html[]): Html =>
  html`<details>
    <summary>${text('generation.more')}</summary>
    <div class="inline">${acts}</div>
  </details>`;

const link = (href: string, words: string): Html =>
  html`<a class="button second" href="${href}">${words}</a>`;

const archiveLink = (id: string): Html =>
  html`<a class="button" href="/generations/${id}/files.zip">${text('generation.downloadAll')}</a>`;

/** Number of a file from 1, for texts; 0 if it is the only one. */
export const numberAmong = (files: readonly string[], index: number): number =>
  files.length > 1 ? index + 1 : 0;

/** The form of the buttons that use a frame of a video as the first frame of the next one. */
const frameForm = (ctx: SiteContext, id: string): Html =>
  html`<form id="frame" action="/generations/${id}/frame" method="post">${tokenField(ctx)}</form>`;

function frameButton(which: 'first' | 'last', words: string): Html {
  const own = attributes({ class: 'second', form: 'frame', name: 'which', value: which });
  return html`<button ${own}>${words}</button>`;
}

/** A button that repeats the order at the price on it; null if its model or prompt no longer exists. */
export function tryAgainForm(
  { modelsOf }: Site,
  ctx: SiteContext,
  { id, model, costCredits, prompt }: HistoryItem,
): Html | null {
  // Prompts are deleted after a time or by their owner; without one there is nothing to repeat.
  if (prompt === '') return null;
  if (!modelsOf(accountOf(ctx)).some((each) => each.id === model)) return null;
  return html`<form action="/generations/${id}/again" method="post" class="again">
    ${tokenField(ctx)}
    <input type="hidden" name="form_key" value="${newFormKey()}" autocomplete="off" />
    <input type="hidden" name="shown_credits" value="${costCredits}" />
    <button>${text('generation.tryAgain', { credits: formatNumber(costCredits) })}</button>
  </form>`;
}
