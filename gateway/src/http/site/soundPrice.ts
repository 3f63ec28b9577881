import type { Model } from '@framegate/contract';
import { text } from '../../texts/text.ts';
import { formatNumber } from '../pages/html.ts';

/** Surcharge for sound, such as `25 % more` or `10 to 25 % more`; null if no model generates sound. */
export function soundPrice(models: readonly Model[]): string | null {
  const percents = models.flatMap((model) => {
    if (model.type !== 'video' || !model.generateAudio) return [];
    const { numerator, denominator } = model.audioFactor;
    return [Math.round((numerator / denominator - 1) * 1000) / 10];
  });
  if (percents.length === 0) return null;
  const bounds = new Set([Math.min(...percents), Math.max(...percents)]);
  const [min = '', max] = [...bounds].map(formatNumber);
  return max === undefined
    ? text('models.more', { percent: min })
    : text('models.moreBetween', { min, max });
}
