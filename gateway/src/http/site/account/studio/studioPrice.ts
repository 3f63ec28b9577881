import { pricingOf } from '@framegate/contract';
import { availableCredits } from '../../../../domain/credits/credits.ts';
import { refundRule } from '../../../../domain/credits/refund.ts';
import { text } from '../../../../texts/text.ts';
import { attributes, formatNumber, formatSeconds, type Html, html } from '../../../pages/html.ts';
import { askButton, creditsWay } from '../creditsWay.ts';
import { accountOf, type Site, type SiteContext } from '../site.ts';
import { maxLines, type StudioForm } from './studioForm.ts';

/**
 * The price next to the button. The server charges only the price in the field `shown_credits`. The page's script
 * updates price, button and field from the pricing in `data-price`.
 */
export function pricePart(ctx: SiteContext, site: Site, studio: StudioForm): Html {
  const { costCredits, model } = studio;
  const available = availableNow(ctx, site);
  const isShort = missingCredits(ctx, site, studio) > 0;
  const shownPrice = attributes({
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
    <input ${shownPrice} />
    <p role="status" aria-atomic="true">
      <strong>${describeCost(studio)}</strong>
      <span class="${isShort ? 'problem' : 'quiet'}"
        >${costCredits === null ? text('studio.noPrice') : describeBalance(available, isShort)}</span
      >
    </p>
    <p class="quiet" id="usual">
      ${text('studio.refundAndTime', {
        share: text(refundRule.wordsKey),
        seconds: formatSeconds(site.deps.durations.usual(model.id).median),
      })}
    </p>
  </div>`;
}

const availableNow = (ctx: SiteContext, { deps }: Site): number =>
  availableCredits(accountOf(ctx).lots, deps.clock.now());

/** Credits that the account lacks for a form; 0 if it has enough, or the form has no price. */
export const missingCredits = (ctx: SiteContext, site: Site, { costCredits }: StudioForm): number =>
  Math.max(0, (costCredits ?? 0) - availableNow(ctx, site));

/** The button that accepts the price, or the way to credits while they do not suffice. */
export function createButton(ctx: SiteContext, site: Site, studio: StudioForm): Html {
  const isShort = missingCredits(ctx, site, studio) > 0;
  const { one, several } = labelsOf(studio);
  const create =
    studio.times > 1 ? createCounted(studio) : Number(studio.typed['n']) > 1 ? several : one;
  const credits = studio.costCredits;
  const button = attributes({
    class: 'button',
    id: 'create',
    name: 'do',
    value: 'create',
    title: text('studio.shortcut'),
    hidden: isShort,
  });
  return html`<button class="small no-script" name="do" value="update">
      ${text('studio.updateOptions')}
    </button>
    <div id="way" ${!isShort && html`hidden`}>${creditsWay(site, accountOf(ctx), askButton())}</div>
    <button ${button}>
      ${credits === null ? create : text('studio.createAt', { create, credits: formatNumber(credits) })}
    </button>`;
}

/** The number of results with their noun: `20 videos`. */
export function describeCount(studio: StudioForm): string {
  const count = countOf(studio);
  return text(studio.model.type === 'video' ? 'studio.videos' : 'studio.images', { count });
}

function describeCost({ costCredits, times }: StudioForm): string | null {
  return costCredits === null ? null : describeSetCost(times, costCredits);
}

/** The price of equal requests: `10 × 35 = 350 credits`. @param all The total price. */
export function describeSetCost(times: number, all: number): string {
  const credits = formatNumber(all);
  if (times === 1) return text('studio.credits', { credits });
  return text('studio.timesCredits', { times, each: formatNumber(all / times), credits });
}

/** Same text as in the page's script. */
function describeBalance(available: number, isShort: boolean): string {
  return text(isShort ? 'studio.youHave' : 'studio.ofYour', { credits: formatNumber(available) });
}

function countOf({ model, typed, times }: StudioForm): number {
  const each = model.type === 'image' ? Number(typed['n'] ?? model.defaults.n) : 1;
  return each * times;
}

/** Label of the button that creates several results: `Create 20 videos`. */
export function createCounted(studio: StudioForm): string {
  return labelsOf(studio).many.replace('{count}', String(countOf(studio)));
}

/**
 * Labels of the button, which the page's script uses as well: for one result, for several of one request, and for those
 * of several requests, with a placeholder for their number.
 */
function labelsOf({ model }: StudioForm): { one: string; several: string; many: string } {
  const count = '{count}';
  const video = text('studio.createVideo');
  return model.type === 'video'
    ? { one: video, several: video, many: text('studio.createManyVideos', { count }) }
    : {
        one: text('studio.createImage'),
        several: text('studio.createImages'),
        many: text('studio.createManyImages', { count }),
      };
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
    noPrice: text('studio.noPrice'),
    labels: labelsOf(studio),
    maxLength: model.maxPromptLength,
    maxLines,
  };
}
