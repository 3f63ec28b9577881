import { errorCodes, pricingOf, type ErrorCode, type Model } from '@framegate/contract';
import { soundPrice } from '../../account/studioPrice.ts';
import { grouped, table, type Guide, type GuideSource } from '../facts.ts';

export function modelsGuide({ facts }: GuideSource): Guide {
  const prices = (['video', 'image'] as const).flatMap((type) => {
    const models = facts.models.filter((model) => model.type === type);
    return models.length === 0 ? [] : [priceTable(type, models)];
  });
  return {
    id: 'models-and-prices',
    title: 'Models and prices',
    parts: [
      `These models are for sale here; \`GET /models\` lists those that your key may use, with everything that they take, and their \`pricing\`.`,
      ...prices,
      `A video costs credits per second of its resolution, with sound ${soundPrice(facts.models) ?? 'no more'}; the whole is rounded up once. Images cost credits of their resolution, times \`n\`. What you leave out takes the model's default: 720p, 16:9 and no sound for videos; 1k, 1:1, one PNG for images. A generation keeps the price at which it was accepted; \`billing.cost_credits\` says it.

The clients compute a price before they create, and \`maxCredits\` (\`max_credits\`) refuses a higher one.`,
    ],
  };
}

/** Prices by resolution, with the lengths or numbers that a model takes. */
function priceTable(type: Model['type'], models: readonly Model[]): string {
  const resolutions = [...new Set(models.flatMap((model) => [...model.resolutions]))];
  const rows = models.map((model) => {
    const { credits } = pricingOf(model);
    const amount =
      model.type === 'video'
        ? `${model.duration.min} to ${model.duration.max}`
        : `${model.n.min} to ${model.n.max}`;
    return [
      `\`${model.id}\``,
      amount,
      ...resolutions.map((resolution) => {
        const price = (credits as Readonly<Record<string, number | undefined>>)[resolution];
        return price === undefined ? '–' : grouped(price);
      }),
    ];
  });
  const unit = type === 'video' ? 'a second' : 'an image';
  const head = [`Credits ${unit}`, type === 'video' ? 'Seconds' : 'Images', ...resolutions];
  return table(head, rows);
}

export function creditsGuide({ facts }: GuideSource): Guide {
  const more =
    facts.links.credits === null ? '' : ` [Get credits](${facts.links.credits}) when they run out.`;
  return {
    id: 'credits-and-refunds',
    title: 'Credits and refunds',
    parts: [
      `The API and the web application spend the same credits, at the same prices. \`GET /credits/balance\` answers \`available\`, what can be spent now, and \`in_flight\`, what unfinished generations were charged.${more}

- A create is charged when it is accepted (202), once, however often it is repeated.
- A refused create is charged nothing.
- A generation that fails, for whatever reason, is refunded whole: \`billing.status\` is \`refunded\`. Images of one generation are made and refunded together.
- Credits that expire soonest are spent first. A refund goes back to where it was taken from; what has expired meanwhile comes back for 30 days.

Too few credits: [\`insufficient_credits\`](#error-insufficient_credits) says in \`error.credits\` what is required and what is there. A key with a daily limit answers [\`key_limit_reached\`](#error-key_limit_reached) until midnight UTC.`,
    ],
  };
}

export function limitsGuide({ facts }: GuideSource): Guide {
  const { limits } = facts;
  return {
    id: 'limits',
    title: 'Limits',
    parts: [
      'Of an account, over all of its keys, unless yours has limits of its own:',
      table(
        ['What', 'Limit'],
        [
          [
            'Creates',
            `${grouped(limits.createsPerMinute)} a minute, ${grouped(limits.burst)} at once`,
          ],
          ['Generations that run', `${grouped(limits.running)} at a time`],
          ['Generations that wait as \`queued\` beyond them', grouped(limits.waiting)],
          ['Reads of a generation', `${grouped(limits.statusReadsPerMinute)} a minute`],
          ['Other reads', `${grouped(limits.otherReadsPerMinute)} a minute`],
          ['Body of a create', '256 KiB'],
        ],
      ),
      `Beyond a rate comes 429 [\`rate_limited\`](#error-rate_limited), with too many waiting [\`concurrency_limited\`](#error-concurrency_limited): wait \`Retry-After\` seconds, then send the same request with the same key. \`RateLimit\` and \`RateLimit-Policy\` say what was met. Repeats of an accepted create count nothing; refused creates count.`,
    ],
  };
}

export function errorsGuide({ facts }: GuideSource): Guide {
  const codes = Object.keys(errorCodes) as ErrorCode[];
  const passing = codes.filter((code) => errorCodes[code].retryable);
  const { support } = facts.links;
  const help = support === null ? 'support' : `[support](${support})`;
  return {
    id: 'error-handling',
    title: 'Error handling',
    parts: [
      `A request that is refused answers a status of 400 or more and an [Error](#object-Error): branch on \`error.code\`, or on \`error.type\` where a code is new to you. [Errors](#errors) lists all codes.

- **Passing**: ${passing.map((code) => `[\`${code}\`](#error-${code})`).join(', ')}. \`retryable\` is \`true\`: wait \`Retry-After\`, or some seconds more each time, and send the same request with the same \`Idempotency-Key\`. Give up after a while, and keep the key.
- **Final**: all others. The same request will not succeed; \`error.details\` names every field at fault, and nothing was made or charged.
- **No answer** within half a minute is like 503: repeat with the same key.
- **A generation that failed** is no refused request: the read answers 200, \`status\` is \`failed\`, and \`error\` says why ([Failures](#failures)). It is refunded. Where \`retryable\` is \`true\`, a new create with a new key may succeed.

Tell ${help} the \`request_id\`, or the id of the generation.`,
    ],
  };
}
