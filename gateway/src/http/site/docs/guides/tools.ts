import type { Guide, GuideSource } from '../facts.ts';
import { n8nWorkflow } from '../n8nSample.ts';

/** The n8n package. */
export function n8nGuide({ facts }: GuideSource): Guide {
  return {
    id: 'n8n',
    title: 'n8n',
    parts: [
      `[Clients](/clients#n8n) has the command that installs our nodes. Create a **Framegate API** credential with the base URL \`${facts.baseUrl}\` and your key; n8n tests it by reading your balance, which costs nothing.

Copy this workflow, paste it into an empty canvas, select your credential in the node, and run it. The **n8n** samples in the reference are nodes that you can paste in the same way.`,
      { n8n: n8nWorkflow(facts.models) },
      `The node generates the \`Idempotency-Key\`, so _Retry On Fail_ never pays twice. It waits for many items at the same time, and _Maximum Credits_ limits the price.`,
    ],
  };
}

/** The Zapier app. */
export function zapierGuide({ facts }: GuideSource): Guide {
  return {
    id: 'zapier',
    title: 'Zapier',
    parts: [
      `The ${facts.brand.name} app has the steps Create Video, Create Image, Find Generation, Find Price and Find Balance. It is a private app: ask support for an invitation. Connect it with the base URL \`${facts.baseUrl}\` and your key.

Turn on **Wait for the Result** to pass the file to the next step of the Zap. Set **Request Key** to an ID from the trigger, such as a row's ID: a replayed Zap then gets the existing video and is not charged again. Testing a step in the editor costs nothing.`,
    ],
  };
}

/** The Model Context Protocol; null if it is turned off. */
export function mcpGuide({ facts }: GuideSource): Guide | null {
  if (facts.mcpUrl === null) return null;
  return {
    id: 'mcp',
    title: 'Agents and MCP',
    parts: [
      `Agents can use the same operations as tools of the Model Context Protocol at \`${facts.mcpUrl}\` (Streamable HTTP), with your key as \`Authorization: Bearer …\`. The tools \`create_video\` and \`create_image\` spend credits; the header \`Framegate-Max-Credits: 100\` refuses create requests that cost more ([\`price_above_limit\`](#error-price_above_limit)). \`wait_for_generation\` waits for up to 45 seconds per call.

For clients that start a local program, \`framegate mcp\` (see [Clients](/clients#agents) for the command) offers the same tools over standard input and output. It needs \`FRAMEGATE_URL\` and \`FRAMEGATE_KEY\`; \`--max-credits\` limits the total spent.

Give agents their own key with a daily limit. They can read [/llms.txt](/llms.txt) and [/docs.md](/docs.md), this page as Markdown.`,
    ],
  };
}

/** Features that the API does not have. */
export function missingGuide({ facts }: GuideSource): Guide {
  const agents =
    facts.mcpUrl === null
      ? '\n- **MCP**: agents can read [/llms.txt](/llms.txt) and [/docs.md](/docs.md), this page as Markdown.'
      : '';
  return {
    id: 'not-there',
    title: 'Not supported (and what to do instead)',
    parts: [
      `The API does not have these features:

- **Webhooks**: poll at the suggested intervals, which takes few reads. Workflow tools have a step for waiting.
- **Uploads**: publish the file at an https address and request its host ([Inputs](#inputs)). You can use your own outputs directly.
- **Cancellation**: an accepted generation is executed and charged. Limit the price in advance with the clients' \`maxCredits\` or the key's daily limit.
- **Listing generations**: store the ID with your order; repeating the create request with the same \`Idempotency-Key\` returns it again. The history in your account shows all generations.
- **Test keys**: every request is real and billed. Use the cheapest model at its shortest length and a key with a daily limit.
- **Calls from browsers**: CORS is not enabled, because anyone can read a key in a page. Call the API from your server and pass \`output.urls\` on.${agents}`,
    ],
  };
}

/** Versions of the API and how it changes. */
export function versionsGuide(): Guide {
  return {
    id: 'versions',
    title: 'Versions',
    parts: [
      `\`/v1\` only grows. New optional fields and parameters, models, headers, and error codes of an existing \`type\` may appear at any time: ignore unknown fields. Fields are never removed and never change their type or meaning, and parameters never become required. Prices are not part of the version: see \`GET /models\`.

Models being retired carry \`deprecated_at\`; \`sunset_at\` follows, at least 90 days ahead. A change of the API itself is announced six months in advance with the headers \`Deprecation\` and \`Sunset\`.`,
    ],
  };
}
