import { call } from './call.ts';
import { type GenerationRecord, isFinal, statuses } from './generated/contract.ts';
import { asObject, isTexts } from './json.ts';
import type { ApiResponse } from './response.ts';
import type { Step } from './step.ts';

/** A generation as just read. */
export interface GenerationReading {
  record: GenerationRecord;
  /** Ms since its creation, by the server's clock alone. */
  ageMs: number;
  /** Ms since its end, by the server's clock; null while it is being made. */
  endedAgeMs: number | null;
  /** The server's hint for the next poll. */
  retryAfterSeconds: number;
}

const idShape = /^gen_[0-9a-z]{26}$/;

/** Whether this can be a generation's id; nothing else is put into a URL. */
export function isGenerationId(text: string): boolean {
  return idShape.test(text);
}

/**
 * The id in the typed text: alone, or inside a URL such as a status URL, ignoring case.
 * @returns Null if there is none.
 */
export function parseGenerationId(text: string): string | null {
  const [, id] = /(?:^|\/)(gen_[0-9a-z]{26})(?![0-9a-z])/i.exec(text.trim()) ?? [];
  return id?.toLowerCase() ?? null;
}

/**
 * Whether a response is a generation: its id, a known type and status, its creation time, its price and parameters, and
 * the URLs of its files once it is completed. Any other body with a success status counts as transmission trouble.
 * @param id The required id; any id is accepted after a create request.
 */
export function isGeneration({ data }: ApiResponse, id?: string): boolean {
  const { id: ownId, type, status, created_at: createdAt, billing, output } = data ?? {};
  return (
    typeof ownId === 'string' &&
    isGenerationId(ownId) &&
    (id === undefined || ownId === id) &&
    (type === 'video' || type === 'image') &&
    statuses.some((each) => each === status) &&
    typeof createdAt === 'string' &&
    !Number.isNaN(Date.parse(createdAt)) &&
    typeof asObject(billing)?.['cost_credits'] === 'number' &&
    asObject(data?.['parameters']) !== null &&
    (status !== 'completed' || isTexts(asObject(output)?.['urls']))
  );
}

/** Reads the response of a create request or a poll that passed isGeneration. */
export function parseGeneration(response: ApiResponse): GenerationReading {
  const record = response.data as unknown as GenerationRecord;
  const createdAt = Date.parse(record.created_at);
  const hint = Number(record.retry_after_seconds) || response.retryAfterSeconds || 15;
  const endedAt = Date.parse(record.completed_at ?? '') || createdAt;
  return {
    record,
    ageMs: response.serverNowMs - createdAt,
    endedAgeMs: isFinal(record.status) ? response.serverNowMs - endedAt : null,
    retryAfterSeconds: Math.max(1, hint),
  };
}

/** Polls a generation once. @returns Null if the account has no such generation. */
export async function getGeneration(step: Step, id: string): Promise<GenerationReading | null> {
  const path = `/generations/${id}`;
  const isSound = (each: ApiResponse) => isGeneration(each, id);
  step.about = { ...step.about, generationId: id };
  const response = await call(step, id, { method: 'GET', path }, { expected: [404], isSound });
  return response.status === 404 ? null : parseGeneration(response);
}

/** Whether the generation has ended, completed or failed. */
export function hasEnded({ record }: GenerationReading): boolean {
  return isFinal(record.status);
}
