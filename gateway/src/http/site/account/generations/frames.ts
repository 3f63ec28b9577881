import { presentPosters } from '../../../../application/generations/presentGeneration.ts';
import type { HistoryItem } from '../../../../application/ports/generations.ts';
import { type FixedKey, text } from '../../../../texts/text.ts';
import { icon, parseRatio } from '../../../pages/elements.ts';
import { attributes, type Html, html } from '../../../pages/html.ts';
import { labelOf, ratioClass } from '../pictures.ts';
import { type Site, takesFrames } from '../site.ts';
import { pictureId } from '../studio/recentWork.ts';
import { formButton } from '../studio/studioChoices.ts';
import { heart } from '../wall/wallParts.ts';
import { numberAmong } from './generationActs.ts';
import type { GenerationSummary } from './generationSummary.ts';

/** Heights of frames in CSS pixels by their number: up to two in a row at 16:9, more in two rows. */
const heights = [340, 260, 200] as const;
/** Width in CSS pixels above which actions have text next to their icons. */
const wideFrom = 360;

interface FrameSize {
  width: number;
  height: number;
}

/** Area of the frames of a set in square CSS pixels: in any ratio, they fit above the composer of a desktop window. */
const setArea = 280_000;

/** Size of each of a request's frames in CSS pixels, in the ordered ratio. */
function shapeOf(
  { parameters }: Pick<HistoryItem, 'parameters'>,
  { count, isSet }: FrameGroup,
): FrameSize {
  const ratio = parseRatio(parameters.aspect_ratio);
  const height = isSet
    ? Math.round(Math.sqrt(((setArea / count) * ratio.height) / ratio.width))
    : (heights[Math.min(count, heights.length) - 1] ?? heights[0]);
  return { width: Math.round((height * ratio.width) / ratio.height), height };
}

/** Number of frames of a request. */
export const framesIn = ({ parameters, outputs }: HistoryItem): number =>
  outputs.length || ('n' in parameters ? parameters.n : 1);

/** The frames that are shown together. */
interface FrameGroup {
  count: number;
  /** Whether they belong to several requests; each then links to the page of its own. */
  isSet: boolean;
}

/**
 * The frames of a request in the studio's feed: its files with the actions on each, or placeholders of the same size
 * while they are made and after they are deleted.
 * @param over Shown on the first placeholder, such as the elapsed time.
 * @param among Those of the request alone if absent.
 */
export function framesOf(
  site: Site,
  item: HistoryItem,
  summary: GenerationSummary,
  over: Html | null,
  among: FrameGroup = { count: framesIn(item), isSet: false },
): Html[] {
  const urls = summary.output?.urls ?? [];
  const shape = shapeOf(item, among);
  if (urls.length === 0) {
    const count = item.status === 'failed' ? 1 : framesIn(item);
    const words =
      over ??
      html`${item.status === 'completed' ? text('generation.deleted') : labelOf(item).words}`;
    const link = among.isSet && openLink(item.id);
    return Array.from({ length: count }, (_, index) =>
      emptyFrame(
        shape,
        item.status,
        html`${index === 0 && html`<p class="over">${words}</p>`}${link}`,
      ),
    );
  }
  const nowMs = site.deps.clock.now();
  const small = presentPosters(item, site.deps.publicUrls, nowMs, 320);
  const large = presentPosters(item, site.deps.publicUrls, nowMs, 960);
  return urls.map((url, index) => {
    const posters = { small: small[index] ?? null, large: large[index] ?? null };
    const number = numberAmong(urls, index);
    const picture =
      item.type === 'video'
        ? videoPart(url, posters.large, shape, !among.isSet)
        : imagePart(url, posters, shape, {
            alt: text('parts.image', {
              number: index + 1,
              count: urls.length,
              title: summary.title,
            }),
            isOne: among.count === 1,
          });
    const ratio = ratioClass(item);
    const size = shape.width >= wideFrom ? 'spacious' : '';
    return html`<figure class="frame ${ratio} ${size}">
      ${
        item.type === 'video' || among.isSet
          ? picture
          : html`<a href="${url}" rel="noreferrer">${picture}</a>`
      }
      ${among.isSet && openLink(item.id)}
      <figcaption class="acts">
        ${item.type === 'video' ? videoActs(site, item.id) : imageActs(item.id, index, number)}
        ${variationButton(item.id, number)} ${heart(summary)}
        <a class="act" href="${url}" download title="${text('generation.download', { number: 0 })}"
          >${icon('download')} <span>${text('generation.download', { number })}</span></a
        >
      </figcaption>
    </figure>`;
  });
}

/** Lies over a frame of a set; the script shows it full screen. */
const openLink = (id: string) =>
  html`<a class="open" href="/generations/${id}" aria-label="${text('studio.view')}"></a>`;

function emptyFrame({ width, height }: FrameSize, status: HistoryItem['status'], over: Html) {
  const shape = attributes({ width, height, viewBox: `0 0 ${width} ${height}` });
  return html`<figure class="frame empty-frame ${status}">
    <svg ${shape} aria-hidden="true"></svg>${over}
  </figure>`;
}

function videoPart(
  url: string,
  poster: string | null,
  shape: FrameSize,
  hasControls: boolean,
): Html {
  const own = attributes({
    src: url,
    poster: poster ?? undefined,
    ...shape,
    preload: poster === null ? 'metadata' : 'none',
    'aria-label': text('parts.video'),
    controls: hasControls,
  });
  return html`<video loop playsinline ${own}></video>`;
}

function imagePart(
  url: string,
  { small, large }: { small: string | null; large: string | null },
  shape: FrameSize,
  { alt, isOne }: { alt: string; isOne: boolean },
): Html {
  const own = attributes({
    src: small ?? url,
    ...(small !== null &&
      large !== null && {
        srcset: `${small} 320w, ${large} 960w`,
        // Several frames are small enough for the small poster, except on dense screens.
        sizes: `${isOne ? shape.width : Math.min(shape.width, 320)}px`,
      }),
    ...shape,
    alt,
    loading: 'lazy',
  });
  return html`<img ${own} />`;
}

/** A button that takes a picture into the composer. */
function act(id: string, action: string, picture: Html, [key, name]: [FixedKey, string]): Html {
  const words = text(key);
  const own = formButton(id, action, { class: 'act', title: words, 'aria-label': name });
  return html`<button ${own}>${picture} <span>${words}</span></button>`;
}

function videoActs(site: Site, id: string): Html | null {
  if (!takesFrames(site)) return null;
  return act(`continue-${id}`, `continue:${id}`, icon('step-forward'), [
    'generation.continue',
    text('generation.continueFromLast'),
  ]);
}

function imageActs(id: string, index: number, number: number): Html {
  const picture = pictureId(id, index);
  return html`${act(`animate-${picture}`, `animate:${picture}`, icon('film'), [
    'generation.animate',
    text('generation.animateImage', { number }),
  ])}
  ${act(`reference-${picture}`, `reference:${picture}`, icon('image-plus'), [
    'generation.reference',
    text('generation.referenceImage', { number }),
  ])}`;
}

function variationButton(id: string, number: number): Html {
  return act(`variation-${id}${number || ''}`, `variation:${id}`, icon('shuffle'), [
    'generation.variation',
    text('generation.variationOf', { number }),
  ]);
}
