/** A generation as returned by the API, limited to the fields used here. */
export interface Generation {
  id: string;
  status: 'queued' | 'processing' | 'completed' | 'failed';
  retry_after_seconds?: number;
  parameters: object;
  billing: object;
  output?: { urls: string[] };
  error?: { code: string; message: string; retryable: boolean };
}

interface Refusal {
  code?: unknown;
  message?: unknown;
  request_id?: unknown;
}

/** Parses JSON; undefined for any other text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const idForm = 'gen_[0-9a-hjkmnp-tv-z]{26}';
const statuses: readonly unknown[] = ['queued', 'processing', 'completed', 'failed'];

/** Whether this is the requested generation (after a create: any generation) in a known state. */
export function isGeneration(json: unknown, asked: string | undefined): json is Generation {
  const { id, status, output, error, billing } = membersOf(json);
  if (typeof id !== 'string' || !statuses.includes(status)) return false;
  if (asked === undefined ? !new RegExp(`^${idForm}$`).test(id) : id !== asked) return false;
  if (status === 'failed') {
    return typeof membersOf(error)['code'] === 'string' && 'status' in membersOf(billing);
  }
  const { urls } = membersOf(output);
  return (
    status !== 'completed' || (Array.isArray(urls) && urls.every((url) => typeof url === 'string'))
  );
}

/** The members of an object; empty for any other value. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** The id in a malformed or truncated answer: a paid generation must not be lost. */
export function idWithin(text: string): string | undefined {
  return new RegExp(`"id"\\s*:\\s*"(${idForm})"`).exec(text)?.[1];
}

/** Text that names a generation if its id is known. */
export const aboutId = (id: string | undefined): string =>
  id === undefined ? '' : ` Generation: ${id}.`;

/** The message of an unsuccessful answer. */
export function messageOf(status: number, json: unknown): string {
  const error: Refusal = membersOf(membersOf(json)['error']);
  if (typeof error.message !== 'string') {
    return `Status ${String(status)} without an answer of Framegate: is the base URL right?`;
  }
  return `${error.message} (${textOf(error.code)}, ${textOf(error.request_id)})`;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** How many images each model of a list makes per call. */
export function maxImagesIn(json: unknown): Map<string, number> {
  const { data } = membersOf(json);
  const models: unknown[] = Array.isArray(data) ? data : [];
  return new Map(
    models.flatMap((model) => {
      const { id, capabilities } = membersOf(model);
      const { max } = membersOf(membersOf(capabilities)['n']);
      return typeof id === 'string' && typeof max === 'number' ? [[id, max] as const] : [];
    }),
  );
}
