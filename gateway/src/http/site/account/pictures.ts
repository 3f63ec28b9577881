import type { Generation } from '../../../domain/generation.ts';
import { chartTones } from '../../pages/chart.ts';
import { sizeOf } from '../../pages/elements.ts';
import { attributes, html, type Html } from '../../pages/html.ts';

/** What a place for a picture follows from. */
type Pictured = Pick<Generation, 'id' | 'type' | 'status' | 'parameters'>;

/** A small picture of a generation, or what stands in for it. @param poster Null where there is none. */
export function thumbnail(of: Pictured, poster: string | null): Html {
  if (poster !== null) {
    const shape = attributes({
      src: poster,
      ...sizeOf(of, 320),
      loading: 'lazy',
      decoding: 'async',
    });
    return html`<img ${shape} alt="" />`;
  }
  return blank(of.id, of.type, of.status);
}

/** Colours that stand in for a picture that there is not: those of a chart's series. */
const tones = chartTones.filter((tone) => tone !== 'others');

/** What stands in for a picture that there is not. @param id The same one always has the same colour. */
export function blank(id: string, type: Generation['type'], status: Generation['status']): Html {
  const sum = [...id].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return html`<span class="blank ${tones[sum % tones.length]} ${status}"
    >${type === 'video' ? '▶' : '▣'}</span
  >`;
}

/** The states of a generation in the words of the site. */
export const statusLabels = {
  queued: 'Waiting',
  processing: 'In progress',
  completed: 'Finished',
  failed: 'Failed',
} as const;

/** The class of a state's badge. */
export function tagClass(status: keyof typeof statusLabels): string {
  if (status === 'completed') return 'badge success';
  return status === 'failed' ? 'badge danger' : 'badge progress';
}

/** Where the small copy of a bundled sample picture is shown from. */
export const samplePath = (name: string): string =>
  `/site/samples/${name.replace('.jpg', '.webp')}`;
