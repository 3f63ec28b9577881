import { pricingOf, type Model } from '@framegate/contract';
import { formatNumber } from '../pages/html.ts';

/** What sound adds to the price of videos, such as `25 % more`; null where no model makes any. */
export function soundPrice(models: readonly Model[]): string | null {
  const model = models.find((each) => each.type === 'video' && each.generateAudio);
  const pricing = model && pricingOf(model);
  if (!pricing || !('audio' in pricing)) return null;
  const { numerator, denominator } = pricing.audio;
  return `${formatNumber(Math.round((numerator / denominator - 1) * 1000) / 10)} % more`;
}
