import type { CreateImageBody, CreateVideoBody, ModelEntry } from './generated/contract.ts';
import type { FieldProblem } from './labels.ts';

/** An input as read, with the user's own text. */
interface InputValue {
  type: string;
  url: string;
  role?: string | undefined;
}

/** The API's refusals for the number, types and roles of inputs. */
export function checkInputs(
  model: ModelEntry,
  body: CreateVideoBody | CreateImageBody,
): FieldProblem[] {
  const inputs: readonly InputValue[] = body.inputs ?? [];
  if (!('mode' in body)) return tooMany(model, 'image', inputs);
  switch (body.mode) {
    case 'image-to-video':
      return frameProblems(model, inputs);
    case 'multimodal-to-video':
      return referenceProblems(model, inputs);
    default:
      return [];
  }
}

function frameProblems({ display_name, capabilities }: ModelEntry, inputs: readonly InputValue[]) {
  const problems: FieldProblem[] = [];
  const places = new Set<string>();
  for (const [index, { role = 'first_frame' }] of inputs.entries()) {
    const param = `inputs[${index}].role`;
    if (role !== 'first_frame' && role !== 'last_frame') {
      problems.push({ param, message: 'Must be first_frame or last_frame.' });
    } else if (places.has(role)) {
      const message = `There is already a ${role}. Send at most one first_frame and one last_frame.`;
      problems.push({ param, message });
    }
    places.add(role);
  }
  if (!places.has('first_frame')) {
    const message = 'image-to-video needs one image with the role first_frame.';
    problems.push({ param: 'inputs', message });
  }
  if (places.has('last_frame') && capabilities.inputs.image.max_count < 2) {
    problems.push({ param: 'inputs', message: `${display_name} takes no last_frame.` });
  }
  return problems;
}

function referenceProblems(model: ModelEntry, inputs: readonly InputValue[]): FieldProblem[] {
  const kinds = ['image', 'video', 'audio'] as const;
  const problems = inputs.flatMap(({ type }, index) =>
    kinds.some((kind) => kind === type)
      ? []
      : [{ param: `inputs[${index}].type`, message: 'Must be image, video or audio.' }],
  );
  problems.push(...kinds.flatMap((kind) => tooMany(model, kind, inputs)));
  if (!inputs.some(({ type }) => type === 'image' || type === 'video')) {
    const message = 'multimodal-to-video needs at least one image or video.';
    problems.push({ param: 'inputs', message });
  }
  return problems;
}

function tooMany(
  { display_name, capabilities }: ModelEntry,
  kind: 'image' | 'video' | 'audio',
  inputs: readonly InputValue[],
): FieldProblem[] {
  const count = inputs.filter(({ type }) => type === kind).length;
  const max = capabilities.inputs[kind].max_count;
  if (count <= max) return [];
  const message = `${display_name} takes at most ${max} inputs of type ${kind}; you sent ${count}.`;
  return [{ param: 'inputs', message }];
}

/**
 * Whether the API would refuse this URL for every key, regardless of allowed hosts. URLs on the API's own host
 * are left to the API: output files of a gateway on the same machine have plain http URLs.
 */
export function isUnacceptableUrl(text: string, apiHost: string): boolean {
  const url = URL.parse(text);
  if (url?.hostname === apiHost) return false;
  if (url === null || text.length > 2048 || !/^https:\/\/[\x21-\x7e]+$/i.test(text)) return true;
  const isName = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.[a-z][a-z0-9-]*$/i.test(url.hostname);
  return !isName || url.username !== '' || url.port !== '' || /[#\\]/.test(text);
}
