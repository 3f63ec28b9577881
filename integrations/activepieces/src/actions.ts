import { createAction, Property } from '@activepieces/pieces-framework';
import type {
  CompletedGeneration,
  CreateImage,
  CreateVideo,
  Generation,
} from '../../typescript/src/index.ts';
import { clientOf, connection, toUserError } from './connection.ts';
import { deriveKey, play, type Step } from './orders.ts';

/** How long a create request is repeated under its key, in ms: the gateway knows the key for seven days. */
const repeatedForMs = 6 * 24 * 3_600_000;
/** Maximum size of a file that a step holds in memory, in bytes. */
const maxFileBytes = 256 * 1024 * 1024;

const creates = {
  model: Property.ShortText({ displayName: 'Model', required: true }),
  prompt: Property.LongText({ displayName: 'Prompt', required: true }),
  parameters: Property.Json({
    displayName: 'Parameters',
    description: 'Such as {"resolution": "720p"}',
    required: false,
  }),
  maxCredits: Property.Number({
    displayName: 'Maximum Credits',
    description: 'Nothing is created if the price is higher.',
    required: false,
  }),
  orderId: Property.ShortText({
    displayName: 'Order ID',
    description: 'Your own ID, such as a row ID: the same order is never charged twice.',
    required: false,
  }),
  wait: Property.Checkbox({
    displayName: 'Wait for the Result',
    description: 'Pauses the run until the result is ready.',
    required: true,
    defaultValue: true,
  }),
};

const generationId = Property.ShortText({
  displayName: 'Generation ID',
  description: 'From a Create step; it begins with gen_',
  required: true,
});

/** The fields of a create request, as Activepieces fills them. */
interface FilledFields {
  model: string;
  prompt: string;
  parameters?: object | null | undefined;
  maxCredits?: number | null | undefined;
  orderId?: string | null | undefined;
  wait: boolean;
}

async function create(step: Step, kind: 'videos' | 'images', filled: FilledFields, more: object) {
  const { model, prompt, orderId, wait } = filled;
  const parameters = filled.parameters ?? {};
  const body = { model, prompt, parameters, ...more } as CreateVideo & CreateImage;
  const key = orderId?.trim() || deriveKey(step, { kind, body });
  return play<Generation>(step, { key }, (client, order, options) => {
    if (order.id !== undefined) return client.generations.wait(order.id, options);
    if (Date.now() - order.at > repeatedForMs) {
      throw new Error("No response for six days: look for the order in your account's history.");
    }
    const all = {
      ...options,
      idempotencyKey: order.key,
      maxCredits: filled.maxCredits ?? undefined,
    };
    return client[kind][wait ? 'createAndWait' : 'create'](body, all);
  });
}

/** Bytes of one file of a generation, without the key. @throws Error for a larger one than a step can hold. */
async function bytesOf(generation: CompletedGeneration, index: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const write = (chunk: Uint8Array) => {
    size += chunk.length;
    if (size > maxFileBytes) {
      throw new Error('The file is too large for this step. Use its URL from Wait for Generation.');
    }
    chunks.push(chunk);
  };
  await generation.download(new WritableStream({ write }), { index });
  return Buffer.concat(chunks);
}

/** The actions of the piece, in the order of its list. */
export const actions = [
  createAction({
    name: 'create_video',
    auth: connection,
    displayName: 'Create Video',
    description: 'Creates a video. Retrying the step in the same run never charges you twice.',
    props: {
      ...creates,
      mode: Property.StaticDropdown({
        displayName: 'Mode',
        required: true,
        defaultValue: 'text-to-video',
        options: {
          options: [
            { label: 'Text to Video', value: 'text-to-video' },
            { label: 'Image to Video', value: 'image-to-video' },
            { label: 'References to Video', value: 'multimodal-to-video' },
          ],
        },
      }),
      inputs: Property.Json({
        displayName: 'Inputs',
        description: 'Such as [{"type": "image", "url": "https://…", "role": "first_frame"}]',
        required: false,
      }),
    },
    run: async (step) => {
      const { mode, inputs } = step.propsValue;
      return create(step, 'videos', step.propsValue, { mode, ...(inputs && { inputs }) });
    },
  }),
  createAction({
    name: 'create_image',
    auth: connection,
    displayName: 'Create Image',
    description: 'Creates images. Retrying the step in the same run never charges you twice.',
    props: creates,
    run: async (step) => create(step, 'images', step.propsValue, {}),
  }),
  createAction({
    name: 'wait',
    auth: connection,
    displayName: 'Wait for Generation',
    description: 'Pauses the run until a generation has completed.',
    props: { generationId },
    run: async (step) => {
      const { generationId: id } = step.propsValue;
      return play(step, { key: id, id }, (client, order, options) =>
        client.generations.wait(order.id ?? id, options),
      );
    },
  }),
  createAction({
    name: 'find',
    auth: connection,
    displayName: 'Find Generation',
    description: 'Reads the current status of a generation.',
    props: { generationId },
    run: async ({ auth, propsValue }) =>
      clientOf(auth).generations.get(propsValue.generationId).catch(rethrow),
  }),
  createAction({
    name: 'download',
    auth: connection,
    displayName: 'Download Files',
    description: 'Waits for a generation and passes its files on to the next step.',
    props: { generationId },
    run: async (step) => {
      const { generationId: id } = step.propsValue;
      return play(step, { key: id, id }, async (client, _, options) => {
        const generation = await client.generations.wait(id, options);
        const files: string[] = [];
        for (const [index, url] of generation.output.urls.entries()) {
          const fileName = new URL(url).pathname.split('/').at(-1) ?? id;
          files.push(await step.files.write({ fileName, data: await bytesOf(generation, index) }));
        }
        return { id, files };
      });
    },
  }),
  createAction({
    name: 'balance',
    auth: connection,
    displayName: 'Find Balance',
    description: "Reads the account's credits.",
    props: {},
    run: async ({ auth }) => clientOf(auth).credits.balance().catch(rethrow),
  }),
];

function rethrow(error: unknown): never {
  throw toUserError(error);
}
