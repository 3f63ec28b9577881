import { n8nWorkflow } from '../n8nSample.ts';
import type { Guide, GuideSource } from '../facts.ts';

export function n8nGuide({ facts }: GuideSource): Guide {
  return {
    id: 'n8n',
    title: 'n8n',
    parts: [
      `In n8n, open **Settings > Community nodes > Install** and enter \`n8n-nodes-framegate\`. Create a credential **Framegate API** with the base URL \`${facts.baseUrl}\` and your key; n8n tests it on your balance, which spends nothing.

Copy this workflow, paste it into an empty canvas, choose your credential in the Framegate node, and run it. Each sample of the reference under **n8n** is a node that can be pasted in the same way.`,
      { n8n: n8nWorkflow(facts.models) },
      `The node makes the \`Idempotency-Key\` itself, so _Retry On Fail_ never pays twice; it waits as it is told, for many items at once, and _Maximum Credits_ refuses what costs more.`,
    ],
  };
}

export function zapierGuide({ facts }: GuideSource): Guide {
  return {
    id: 'zapier',
    title: 'Zapier',
    parts: [
      `The Framegate app has the steps Create Video, Create Image, Find Generation, Find Price and Find Balance. It is a private app: ask support for its invitation. Connect it with the base URL \`${facts.baseUrl}\` and your key.

Switch **Wait for the Result** on, and the next step of the Zap gets the file. Fill **Request Key** with the id of what the trigger brought, such as a row's id: then a Zap that is replayed is answered with the video that is there, and not charged again. Testing a step in the editor spends nothing.`,
    ],
  };
}

export function mcpGuide({ facts }: GuideSource): Guide | null {
  if (facts.mcpUrl === null) return null;
  return {
    id: 'mcp',
    title: 'Agents and MCP',
    parts: [
      `Agents find the same operations as tools of the Model Context Protocol, at \`${facts.mcpUrl}\` (Streamable HTTP), with your key as \`Authorization: Bearer …\`. The tools \`create_video\` and \`create_image\` spend credits; with the header \`Framegate-Max-Credits: 100\` a create that costs more is refused ([\`price_above_limit\`](#error-price_above_limit)). \`wait_for_generation\` waits for at most 45 seconds a call.

For clients that start a program there are the same tools over standard input and output: \`npx @framegate/client mcp\`, with \`FRAMEGATE_URL\` and \`FRAMEGATE_KEY\`; its \`--max-credits\` holds for all creates together.

Give agents a key with a daily limit of its own. For their reading there are [/llms.txt](/llms.txt) and [/docs.md](/docs.md), this page as Markdown.`,
    ],
  };
}

export function missingGuide({ facts }: GuideSource): Guide {
  const agents =
    facts.mcpUrl === null
      ? '\n- **A page for agents**: [/llms.txt](/llms.txt) and [/docs.md](/docs.md) are this page as Markdown.'
      : '';
  return {
    id: 'not-there',
    title: 'What there is not',
    parts: [
      `And what to do instead:

- **Webhooks**: poll as you are told; the hints make it few reads. A workflow tool waits with its own step.
- **Uploads**: put a file where it has an https address, and ask for its host ([Inputs](#inputs)). Outputs of your own are inputs at once.
- **Cancellation**: a generation that was accepted is made and paid. Check the price before, with \`maxCredits\` of the clients or a daily limit of the key.
- **Listing generations**: keep the id with your order; the same create with the same \`Idempotency-Key\` answers it again. The history in your account shows all.
- **Test keys**: what is made is real. Use the cheapest model at its shortest length, with a key that has a daily limit.
- **Calls from browsers**: CORS is not enabled, because a key in a page is everybody's. Call from your server, and hand on \`output.urls\`.${agents}`,
    ],
  };
}

export function versionsGuide(): Guide {
  return {
    id: 'versions',
    title: 'Versions',
    parts: [
      `\`/v1\` only grows. At any time there may be new optional fields and parameters, models, headers, and error codes of a \`type\` that exists: ignore fields that you do not know. A field never goes, changes its type or its meaning, and a parameter never becomes required. Prices are no part of the version: \`GET /models\` has them.

A model that is to go gets \`deprecated_at\`, and with it or later \`sunset_at\`, at least 90 days ahead. A change of the API itself is announced six months ahead, with the headers \`Deprecation\` and \`Sunset\`.`,
    ],
  };
}
