import { type ErrorCode, errorCodes, type Model, pricingOf } from '@framegate/contract';
import { refundRule } from '../../../../domain/credits/refund.ts';
import { soundPrice } from '../../soundPrice.ts';
import { formatNumber, type Guide, type GuideSource, markdownTable } from '../facts.ts';

/** Models and their prices. */
export function modelsGuide({ facts }: GuideSource): Guide {
  const prices = (['video', 'image'] as const).flatMap((type) => {
    const models = facts.models.filter((model) => model.type === type);
    return models.length === 0 ? [] : [priceTable(type, models)];
  });
  return {
    id: 'models-and-prices',
    title: 'Models and prices',
    parts: [
      `This service offers the models below. \`GET /models\` lists those your key can use, with their capabilities and \`pricing\`.`,
      ...prices,
      `The price of a video depends on its resolution and length; sound costs ${soundPrice(facts.models) ?? 'nothing more'}. The total is rounded up once. The price of images depends on their resolution and number (\`n\`). Omitted parameters use the model's defaults: 720p, 16:9 and no sound for videos; 1k, 1:1 and one PNG for images. A generation keeps the price at which it was accepted, shown in \`billing.cost_credits\`.

The clients compute the price before they create a generation; \`maxCredits\` (\`max_credits\`) sets an upper limit.`,
    ],
  };
}

/** Prices by resolution, with each model's range of seconds or images. */
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
        return price === undefined ? '–' : formatNumber(price);
      }),
    ];
  });
  const unit = type === 'video' ? 'per second' : 'per image';
  const head = [`Credits ${unit}`, type === 'video' ? 'Seconds' : 'Images', ...resolutions];
  return markdownTable(head, rows);
}

/** Charges, refunds and expiry. */
export function creditsGuide({ facts }: GuideSource): Guide {
  const getCredits =
    facts.links.credits === null ? '' : ` [Get credits](${facts.links.credits}) when they run out.`;
  return {
    id: 'credits-and-refunds',
    title: 'Credits and refunds',
    parts: [
      `The API and the web application spend the same credits, at the same prices. \`GET /credits/balance\` returns \`available\`, the credits you can spend now, and \`in_flight\`, the charges of unfinished generations.${getCredits}

- A create request is charged once, when it is accepted (202), however often you repeat it.
- A refused create request costs nothing.
- A generation that fails for any reason is refunded ${refundRule.inWords}: \`billing.status\` is \`refunded\`, and \`billing.refunded_credits\` is the amount. All images of one generation succeed or fail together.
- Credits that expire soonest are spent first. A refund restores the credits that were spent; if they have expired since, they are valid for another 30 days.

If you have too few credits, [\`insufficient_credits\`](#error-insufficient_credits) gives the required and available amounts in \`error.credits\`. After a key has reached its daily or monthly limit, create requests are refused with [\`key_limit_reached\`](#error-key_limit_reached) until the next day or month (UTC).`,
    ],
  };
}

/** Limits of an account. */
export function limitsGuide({ facts }: GuideSource): Guide {
  const { limits } = facts;
  return {
    id: 'limits',
    title: 'Limits',
    parts: [
      'Limits per account, shared by all of its keys. Your account may have different ones.',
      markdownTable(
        ['What', 'Limit'],
        [
          [
            'Creates',
            `${formatNumber(limits.createsPerMinute)} per minute, ${formatNumber(limits.burst)} at once`,
          ],
          ['Running generations', `${formatNumber(limits.running)} at a time`],
          ['Further generations waiting as \`queued\`', formatNumber(limits.waiting)],
          ['Reads of a generation', `${formatNumber(limits.statusReadsPerMinute)} per minute`],
          ['Other reads', `${formatNumber(limits.otherReadsPerMinute)} per minute`],
          ['Body of a create request', '256 KiB'],
        ],
      ),
      `Requests above a rate limit are refused with 429 [\`rate_limited\`](#error-rate_limited), and create requests with too many waiting generations with [\`concurrency_limited\`](#error-concurrency_limited). Wait \`Retry-After\` seconds, then send the same request with the same key. \`RateLimit\` and \`RateLimit-Policy\` name the limit. Repeats of an accepted create request do not count; refused ones do.`,
    ],
  };
}

/** Errors and repeats. */
export function errorsGuide({ facts }: GuideSource): Guide {
  const codes = Object.keys(errorCodes) as ErrorCode[];
  const temporary = codes.filter((code) => errorCodes[code].retryable);
  const { support } = facts.links;
  const help = support === null ? 'support' : `[support](${support})`;
  return {
    id: 'error-handling',
    title: 'Error handling',
    parts: [
      `A refused request returns a status of 400 or more and an [Error](#object-Error). Use \`error.code\` to decide what to do, and \`error.type\` for unknown codes. [Errors](#errors) lists all codes.

- **Temporary errors**: ${temporary.map((code) => `[\`${code}\`](#error-${code})`).join(', ')}. \`retryable\` is \`true\`. Wait \`Retry-After\` seconds, or for increasing periods without that header, then send the same request with the same \`Idempotency-Key\`. If you give up, keep the key.
- **Permanent errors**: all others. The same request will not succeed. \`error.details\` lists every invalid field. Nothing was created or charged.
- **No response** within 30 seconds: treat it like 503 and repeat the request with the same key.
- **Failed generations** are not refused requests: the read returns 200, \`status\` is \`failed\`, and \`error\` gives the reason ([Failures](#failures)). The credits are refunded. If \`retryable\` is \`true\`, a new request with a new key may succeed.

When you contact ${help}, include the \`request_id\` or the generation's ID.`,
    ],
  };
}
