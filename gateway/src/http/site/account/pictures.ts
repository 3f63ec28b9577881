import { type Status, sum } from '@framegate/contract';
import type {
  GenerationRef,
  OrderedModel,
  OrderedResult,
} from '../../../domain/generations/order.ts';
import type { GenerationStatus } from '../../../domain/generations/work.ts';
import { type FixedKey, text } from '../../../texts/text.ts';
import { failureTones, nameTones } from '../../pages/chart.ts';
import { reservedSize } from '../../pages/elements.ts';
import { attributes, type Html, html } from '../../pages/html.ts';

/** Properties that determine a thumbnail. */
type ThumbnailSubject = Pick<GenerationRef, 'id'> &
  Pick<OrderedResult, 'type' | 'parameters'> &
  Pick<GenerationStatus, 'status'>;

/** Thumbnail of a generation, or a placeholder. @param poster Null if there is no picture. */
export function thumbnail(generation: ThumbnailSubject, poster: string | null): Html {
  if (poster !== null) {
    const shape = attributes({
      src: poster,
      ...reservedSize(generation, 320),
      loading: 'lazy',
      decoding: 'async',
    });
    return html`<img ${shape} alt="" />`;
  }
  return blank(generation.id, generation.type, generation.status);
}

/** Colours of placeholders: those of a chart's series. */
const tones = [...nameTones, ...failureTones];

/** Placeholder for a missing picture. @param id Determines the colour. */
export function blank(id: string, type: OrderedModel['type'], status: Status): Html {
  const total = sum([...id].map((letter) => letter.codePointAt(0) ?? 0));
  return html`<span class="blank ${tones[total % tones.length]} ${status}"
    >${type === 'video' ? '▶' : '▣'}</span
  >`;
}

/** Labels of the states of a generation. */
export const statusLabels = {
  queued: 'generation.queued',
  processing: 'generation.processing',
  completed: 'generation.completed',
  failed: 'generation.failed',
} as const satisfies Readonly<Record<Status, FixedKey>>;

/** Label and CSS class of a generation's badge; one that its owner took back is not a failure. */
export function labelOf({ status, failure }: GenerationStatus): {
  words: string;
  badge: string;
} {
  if (failure?.wasCancelled) return { words: text('generation.cancelled'), badge: 'badge' };
  const tone = {
    completed: 'success',
    failed: 'danger',
    queued: 'progress',
    processing: 'progress',
  };
  return { words: text(statusLabels[status]), badge: `badge ${tone[status]}` };
}

/** Path of the thumbnail of a bundled sample picture. */
export const samplePath = (name: string): string =>
  `/site/samples/${name.replace('.jpg', '.webp')}`;

/** CSS class that gives an element the ordered ratio, such as `r16x9`. */
export const ratioClass = ({ parameters }: Pick<OrderedResult, 'parameters'>): string =>
  `r${parameters.aspect_ratio.replace(':', 'x')}`;
