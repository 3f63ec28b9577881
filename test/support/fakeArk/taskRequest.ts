/** An ordered task: the fields of ModelArk's Video Generation API that Framegate sends. */
export interface TaskRequest {
  model: string;
  prompt: string;
  /** Frames and references in their order. */
  inputs: { kind: 'image' | 'video' | 'audio'; role: string | null; url: string }[];
  fields: Record<string, unknown>;
}

/** A request that ModelArk would refuse with 400. */
export class WrongRequest extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const ratios = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', 'adaptive'];
const resolutions = ['480p', '720p', '1080p', '4k'];
const roles: Record<string, readonly string[]> = {
  image: ['first_frame', 'last_frame', 'reference_image'],
  video: ['reference_video'],
  audio: ['reference_audio'],
};
const known = [
  ...['model', 'content', 'ratio', 'resolution', 'duration', 'seed', 'generate_audio', 'watermark'],
  ...['camera_fixed', 'return_last_frame', 'service_tier', 'draft', 'callback_url'],
  ...['execution_expires_after', 'frames', 'priority', 'safety_identifier'],
];

/**
 * Checks a request against the documented form. Unknown fields are refused, which is stricter than the original,
 * because its silence would hide our mistakes.
 * @throws WrongRequest
 */
export function readTaskRequest(body: unknown): TaskRequest {
  if (!isRecord(body)) throw new WrongRequest('InvalidParameter', 'the body is no object');
  const { model, content, ...fields } = body;
  if (typeof model !== 'string') throw new WrongRequest('MissingParameter', 'model');
  if (!Array.isArray(content) || content.length === 0) {
    throw new WrongRequest('MissingParameter', 'content');
  }
  const unknown = Object.keys(body).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new WrongRequest('InvalidParameter', unknown);
  requireOneOf(fields['ratio'], ratios, 'ratio');
  requireOneOf(fields['resolution'], resolutions, 'resolution');
  const { duration = 5, seed = -1, generate_audio: audio = false } = fields;
  const isNumber = (value: unknown, min: number, max: number) =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  if (!isNumber(duration, 2, 15)) throw new WrongRequest('InvalidParameter', 'duration');
  if (!isNumber(seed, -1, 2 ** 32 - 1)) throw new WrongRequest('InvalidParameter', 'seed');
  if (typeof audio !== 'boolean') throw new WrongRequest('InvalidParameter', 'generate_audio');
  const parts: readonly unknown[] = content;
  const prompt = parts.map(readText).filter((text) => text !== null);
  const inputs = parts.filter((part) => readText(part) === null).map(readInput);
  requireRoles(inputs);
  return { model, prompt: prompt.join('\n'), inputs, fields };
}

function readText(part: unknown): string | null {
  return isRecord(part) && part['type'] === 'text' && typeof part['text'] === 'string'
    ? part['text']
    : null;
}

function readInput(part: unknown): TaskRequest['inputs'][number] {
  if (!isRecord(part)) throw new WrongRequest('InvalidParameter', 'content');
  const kind = (['image', 'video', 'audio'] as const).find(
    (each) => part['type'] === `${each}_url`,
  );
  const holder = kind && part[`${kind}_url`];
  const url = isRecord(holder) ? holder['url'] : undefined;
  const { role = null } = part;
  const isRole = role === null || (typeof role === 'string' && roles[kind ?? '']?.includes(role));
  if (!kind || typeof url !== 'string' || !isRole) {
    throw new WrongRequest('InvalidParameter', 'content');
  }
  return { kind, role: typeof role === 'string' ? role : null, url };
}

/** Frames and references exclude each other; a last frame needs a first. */
function requireRoles(inputs: TaskRequest['inputs']): void {
  const has = (test: (role: string | null) => boolean) => inputs.some(({ role }) => test(role));
  const hasFrames = has((role) => role === null || role.endsWith('_frame'));
  const hasReferences = has((role) => role?.startsWith('reference_') === true);
  if (hasFrames && hasReferences) throw new WrongRequest('InvalidParameter', 'content.role');
  if (has((role) => role === 'last_frame') && !has((role) => role === 'first_frame')) {
    throw new WrongRequest('InvalidParameter', 'content.role');
  }
  const unroled = inputs.filter(({ role }) => role === null);
  if (unroled.some(({ kind }) => kind !== 'image') || unroled.length > 1) {
    throw new WrongRequest('InvalidParameter', 'content.role');
  }
}

function requireOneOf(value: unknown, allowed: readonly string[], name: string): void {
  if (value !== undefined && !allowed.some((each) => each === value)) {
    throw new WrongRequest('InvalidParameter', name);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
