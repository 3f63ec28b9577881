import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  catalogue,
  type CreateVideoBody,
  errorCodes,
  failureCodes,
  type VideoModel,
  videoModes,
} from '@framegate/contract';
import { resolveVideoRequest } from '../../gateway/src/domain/generations/requestRules.ts';
import { Refusal } from '../../gateway/src/domain/refusal.ts';
import { loadSource, shownOf } from './support/loadSource.ts';

/** Programmers' words, which users of forms should never read. */
const technical =
  /compliance|_frame|parameters\.|details|Authorization|Bearer|GET \/|Idempotency-Key|\b(?:header|JSON|path|null)\b|-to-video|generate_audio|duration_seconds/;

interface Told {
  happened: string;
  advice: string;
}
interface Words {
  describeRefusal(code: string, message: string): Told;
  describeFailure(code: string, message: string): Told;
  inEditorWords(text: string): string;
  labelOf(param: string): string;
}
interface Field {
  name: string;
  displayName?: string;
  values?: Field[];
  options?: Field[];
}
type ApiError = (node: object, response: object, place?: object) => Error & { context: object };

let words: Words;
let fields: Field[];
let labels: Record<string, string>;
let apiError: ApiError;

beforeAll(async () => {
  words = await loadSource<Words>('nodes/Framegate/api/words.ts');
  ({ labels } = await loadSource<{ labels: typeof labels }>('nodes/Framegate/fields/labels.ts'));
  ({ apiError } = await loadSource<{ apiError: ApiError }>('nodes/Framegate/api/apiError.ts'));
  const { Framegate } = await loadSource<{
    Framegate: new () => { description: { properties: Field[] } };
  }>('nodes/Framegate/Framegate.node.ts');
  fields = allFields(new Framegate().description.properties);
});

function allFields(some: Field[]): Field[] {
  return some.flatMap((field) => [
    field,
    ...allFields(field.options ?? []),
    ...allFields(field.values ?? []),
  ]);
}

/** Without the ending that n8n's rules require for choices from an API. */
const editorName = ({ displayName }: Field) => displayName?.replace(/ Name or ID$/, '');

test("a message uses the editor's name for a field", () => {
  for (const [name, label] of Object.entries(labels)) {
    const shown = fields.filter((field) => field.name === name && field.displayName !== undefined);
    expect([name, ...new Set(shown.map(editorName))]).toEqual([name, label]);
  }
  expect(words.labelOf('parameters.duration_seconds')).toBe('Duration (Seconds)');
  expect(words.labelOf('inputs[1].url')).toBe('Inputs, entry 2: URL');
  expect(words.labelOf('compliance.rights_confirmed')).toBe('Rights Confirmed');
});

/** The beginning of advice: an action that a person in n8n can take. */
const something =
  /^(Nothing was charged\. )?(Add|Ask|Change|Choose|Contact|Correct|Give|Make|Open|Raise|Request|Run|Shorten|The node reached|Try|Turn on|Use) /;

test.each(Object.keys(errorCodes))("refusal %s is explained in the editor's words", (code) => {
  const { happened, advice } = words.describeRefusal(code, 'unused');
  expect(happened).not.toBe('unused');
  expect(advice).toMatch(something);
  expect(`${happened}. ${advice}`).not.toMatch(technical);
});

test.each(Object.entries(failureCodes))(
  "failure %s is explained in the editor's words",
  async (code, { retryable, message }) => {
    const { happened, advice } = words.describeFailure(code, 'unused');
    expect(happened).not.toBe('unused');
    expect(`${happened}. ${advice}`).not.toMatch(technical);
    const { failedGeneration } = await loadSource<{
      failedGeneration: (node: object, record: object, place: object) => Error;
    }>('nodes/Framegate/actions/failedGeneration.ts');
    const error = { code, message, retryable };
    const record = { id: 'gen_1', type: 'video', status: 'failed', billing: {}, error };
    expect(shownOf(failedGeneration({}, record, { itemIndex: 0 })).description).toMatch(something);
  },
);

test('a file of the wrong kind is named as the API names it', () => {
  const message = 'This is a HEIC image: send JPEG, PNG or WebP.';
  expect(words.describeFailure('input_invalid', message)).toEqual({
    happened: 'This is a HEIC image',
    advice: 'Send JPEG, PNG or WebP.',
  });
});

test("a code newer than the node has the API's text, in the editor's words", () => {
  expect(
    words.describeRefusal('new_code', 'Set compliance.rights_confirmed. Use a first_frame.'),
  ).toEqual({ happened: 'Set Rights Confirmed', advice: 'Use a First Frame.' });
});

describe('the problems that the gateway finds', () => {
  const image = { type: 'image', url: 'https://a.example/1.png' } as const;
  const sound = { ...image, type: 'audio' } as const;
  const bodies: Omit<CreateVideoBody, 'model' | 'prompt'>[] = [
    { mode: 'image-to-video' },
    { mode: 'image-to-video', inputs: [image, image, { ...image, role: 'last_frame' }] },
    { mode: 'image-to-video', inputs: [{ ...image, role: 'last_frame' }, sound] },
    { mode: 'multimodal-to-video', inputs: [{ ...image, role: 'first_frame' }] },
    { mode: 'multimodal-to-video', inputs: Array.from({ length: 20 }, () => sound) },
    { mode: 'text-to-video', inputs: [image] },
    ...videoModes.map((mode) => ({
      mode,
      inputs: [],
      parameters: { duration_seconds: 99, generate_audio: true },
      compliance: {},
    })),
  ];

  test('are reported with the fields, modes and places of the editor', () => {
    const models = catalogue.filter((entry): entry is VideoModel => entry.type === 'video');
    const lines = models.flatMap((model) =>
      bodies.flatMap((body) => {
        const problems = problemsOf(model, { model: model.id, prompt: 'a boat', ...body });
        return problems.map(
          ({ param, message }) => `${words.labelOf(param)}: ${words.inEditorWords(message)}`,
        );
      }),
    );
    expect(lines).toContain('Inputs: Image to Video needs one image used as First Frame.');
    expect(lines).toContain('Inputs: References to Video needs at least one image or video.');
    expect(lines.filter((line) => technical.test(line))).toEqual([]);
  });

  function problemsOf(model: VideoModel, body: CreateVideoBody) {
    try {
      resolveVideoRequest(model, body);
    } catch (error) {
      if (error instanceof Refusal) return error.details;
      throw error;
    }
    return [];
  }
});

describe('a response as an error', () => {
  const node = { name: 'Framegate' };
  const detail = (param: string, message: string) => ({ param, code: 'invalid_value', message });
  const respond = (code: keyof typeof errorCodes, more: object = {}) => {
    const { status, message, retryable } = errorCodes[code];
    const error = { code, message, retryable, request_id: 'req_1', details: [], ...more };
    return { status, headers: {}, body: { error } };
  };

  test('has the first problem as its message and the others in the description', () => {
    const details = [
      detail('parameters.duration_seconds', 'alpha-2.0-mini takes 3 to 15 seconds.'),
      detail('inputs', 'image-to-video needs one image with the role first_frame.'),
    ];
    const message = `${details[0]?.param}: ${details[0]?.message} (1 more in details)`;
    const told = shownOf(apiError(node, respond('invalid_request', { message, details })));
    expect(told.message).toBe('Duration (Seconds): alpha-2.0-mini takes 3 to 15 seconds');
    expect(told.description).toBe(
      'Inputs: Image to Video needs one image used as First Frame. Code: invalid_request. Request ID: req_1.',
    );
  });

  test('keeps the data with which the workflow can continue', () => {
    const credits = { required: 12, available: 3 };
    const generationId = 'gen_1';
    const { context } = apiError(node, respond('insufficient_credits', { credits }), {
      generationId,
    });
    expect(context).toEqual({
      details: {
        generation_id: 'gen_1',
        code: 'insufficient_credits',
        http_status: 402,
        credits_required: 12,
        credits_available: 3,
        retryable: false,
        request_id: 'req_1',
      },
    });
  });
});
