import { pricingOf, type Model } from '@framegate/contract';
import { availableCredits } from '../../../domain/credits.ts';
import { formatNumber, formatSeconds, attributes, html, type Html } from '../../pages/html.ts';
import { creditsWay, accountOf, type Site, type SiteContext } from './site.ts';
import type { StudioForm } from './studioForm.ts';

const noPrice = 'The price shows once the parameters fit the model.';

/**
 * What the wish costs, and the button that takes that price: the field `shown_credits` carries it to the
 * server, which charges nothing when it comes to another one. The page's script keeps all three in step
 * while the form is filled in, from the model's published pricing in `data-price`.
 */
export function priceAndButton(ctx: SiteContext, site: Site, studio: StudioForm): Html {
  const { costCredits, model } = studio;
  const available = availableCredits(accountOf(ctx).lots, site.deps.clock.now());
  const isShort = costCredits !== null && costCredits > available;
  const shown = attributes({
    type: 'hidden',
    name: 'shown_credits',
    // A browser that keeps fields over a reload is not to keep an old price.
    autocomplete: 'off',
    value: costCredits ?? '',
  });
  const price = attributes({
    class: 'price',
    id: 'price',
    'data-price': JSON.stringify({ ...pricedAs(studio), available }),
  });
  const noun = nounsOf(studio)[Number(studio.typed['n']) > 1 ? 1 : 0];
  const cost = costCredits !== null && `${formatNumber(costCredits)} credits`;
  return html`<div ${price}>
      <input ${shown} />
      <p role="status" aria-atomic="true">
        <strong>${cost}</strong>
        <span class="${isShort ? 'problem' : 'quiet'}"
          >${costCredits === null ? noPrice : balanceInWords(available, isShort)}</span
        >
      </p>
      <div class="way" ${isShort ? null : html`hidden`}>${creditsWay(site.links)}</div>
      <p class="quiet" id="usual">
        Refunded in full if it fails. Usually takes
        ${formatSeconds(site.durations.usual(model.id).median)}.
      </p>
    </div>
    <div>
      <button class="button" id="create" name="do" value="create">
        Create ${noun}${cost !== false && ` · ${cost}`}
      </button>
      <button class="small no-script" name="do" value="update">Update options and price</button>
    </div>`;
}

/** As the page's script words it, too. */
function balanceInWords(available: number, isShort: boolean): string {
  return isShort ? `You have ${formatNumber(available)}.` : `of your ${formatNumber(available)}`;
}

function nounsOf({ model }: StudioForm): readonly [string, string] {
  return model.type === 'video' ? ['video', 'video'] : ['image', 'images'];
}

/** What the page's script computes a price from. */
function pricedAs(studio: StudioForm): object {
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
  };
}

/** What sound adds to the price of videos, such as `25 % more`; null where no model makes any. */
export function soundPrice(models: readonly Model[]): string | null {
  const model = models.find((each) => each.type === 'video' && each.generateAudio);
  const pricing = model && pricingOf(model);
  if (!pricing || !('audio' in pricing)) return null;
  const { numerator, denominator } = pricing.audio;
  return `${formatNumber(Math.round((numerator / denominator - 1) * 1000) / 10)} % more`;
}
