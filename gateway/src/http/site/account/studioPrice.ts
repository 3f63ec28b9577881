import { pricingOf, type Model } from '@framegate/contract';
import { availableCredits } from '../../../domain/credits.ts';
import { refundRule } from '../../../domain/refund.ts';
import { formatNumber, formatSeconds, attributes, html, type Html } from '../../pages/html.ts';
import { creditsWay, accountOf, type Site, type SiteContext } from './site.ts';
import { maxLines, type StudioForm } from './studioForm.ts';

const noPrice = 'The price appears when the parameters are valid for the model.';

/**
 * The price beside the button. The server charges only the price in the field `shown_credits`. The page's script
 * updates price, button and field from the pricing in `data-price`.
 */
export function priceText(ctx: SiteContext, site: Site, studio: StudioForm): Html {
  const { costCredits, model } = studio;
  const available = availableCredits(accountOf(ctx).lots, site.deps.clock.now());
  const isShort = costCredits !== null && costCredits > available;
  const shown = attributes({
    type: 'hidden',
    name: 'shown_credits',
    // Keeps browsers from restoring an old price after a reload.
    autocomplete: 'off',
    value: costCredits ?? '',
  });
  const price = attributes({
    class: 'price',
    id: 'price',
    'data-price': JSON.stringify({ ...pricingData(studio), available }),
  });
  return html`<div ${price}>
    <input ${shown} />
    <p role="status" aria-atomic="true">
      <strong>${costInWords(studio)}</strong>
      <span class="${isShort ? 'problem' : 'quiet'}"
        >${costCredits === null ? noPrice : balanceInWords(available, isShort)}</span
      >
    </p>
    <div class="way" ${isShort ? null : html`hidden`}>${creditsWay(site.links)}</div>
    <p class="quiet" id="usual">
      Refunded ${refundRule.inWords} if it fails. Usually takes
      ${formatSeconds(site.durations.usual(model.id).median)}.
    </p>
  </div>`;
}

/** The button that accepts the price. */
export function createButton(studio: StudioForm): Html {
  const isList = (studio.lines?.length ?? 0) > 1;
  const noun = nounsOf(studio)[Number(studio.typed['n']) > 1 ? 1 : 0];
  const cost = costInWords(studio);
  return html`<button class="small no-script" name="do" value="update">
      Update options and price
    </button>
    <button class="button" id="create" name="do" value="create" title="Ctrl+Enter">
      Create ${isList ? countInWords(studio) : noun}${cost !== null && ` · ${cost}`}
    </button>`;
}

/** The number of results with their noun: `20 videos`. */
export function countInWords(studio: StudioForm): string {
  const { model, typed, lines } = studio;
  const each = model.type === 'image' ? Number(typed['n'] ?? model.defaults.n) : 1;
  const count = each * (lines?.length ?? 1);
  return `${count} ${nounsOf(studio)[count === 1 ? 0 : 1]}`;
}

function costInWords({ costCredits }: StudioForm): string | null {
  return costCredits === null ? null : `${formatNumber(costCredits)} credits`;
}

/** Same text as in the page's script. */
function balanceInWords(available: number, isShort: boolean): string {
  return isShort ? `You have ${formatNumber(available)}.` : `of your ${formatNumber(available)}`;
}

function nounsOf({ model }: StudioForm): readonly [string, string] {
  return model.type === 'video' ? ['video', 'videos'] : ['image', 'images'];
}

/** Pricing data for the page's script. */
function pricingData(studio: StudioForm): object {
  const { model } = studio;
  const { per, credits, ...rest } = pricingOf(model);
  const units =
    model.type === 'video'
      ? { name: 'duration_seconds', ...model.duration }
      : { name: 'n', ...model.n, default: model.defaults.n };
  return {
    per,
    credits,
    ...('audio' in rest && { audio: rest.audio }),
    units,
    noPrice,
    nouns: nounsOf(studio),
    longest: model.maxPromptLength,
    maxLines,
  };
}

/** Surcharge for sound, such as `25 % more` or `10 to 25 % more`; null if no model generates sound. */
export function soundPrice(models: readonly Model[]): string | null {
  const percents = models.flatMap((model) => {
    if (model.type !== 'video' || !model.generateAudio) return [];
    const { numerator, denominator } = model.audioFactor;
    return [Math.round((numerator / denominator - 1) * 1000) / 10];
  });
  if (percents.length === 0) return null;
  const bounds = new Set([Math.min(...percents), Math.max(...percents)]);
  return `${[...bounds].map(formatNumber).join(' to ')} % more`;
}
