import type { Answer } from './answer.ts';
import { call } from './call.ts';
import { isFinal, statuses, type GenerationRecord } from './generated/contract.ts';
import type { Step } from './step.ts';

/** A generation as it was just read. */
export interface Reading {
  record: GenerationRecord;
  /** Ms since it was created, by the server's clock alone. */
  ageMs: number;
  /** Ms since it ended, by the server's clock; null while it is being made. */
  endedAgeMs: number | null;
  /** The server's hint when to poll again. */
  retryAfterSeconds: number;
}

const idShape = /^gen_[0-9a-z]{26}$/;

/** Whether this can be the id of a generation; nothing else is put into an address. */
export function isGenerationId(text: string): boolean {
  return idShape.test(text);
}

/**
 * The id in what was entered: alone, or inside an address such as a status URL, in any case.
 * @returns null when there is none.
 */
export function readGenerationId(text: string): string | null {
  const [, id] = /(?:^|\/)(gen_[0-9a-z]{26})(?![0-9a-z])/i.exec(text.trim()) ?? [];
  return id?.toLowerCase() ?? null;
}

/**
 * Reads the answer of a create or a poll.
 * @throws z.errors.Error when it is not a generation: then the base URL leads somewhere else.
 */
export function readGeneration(step: Step, answer: Answer): Reading {
  const record = answer.data as unknown as GenerationRecord;
  const createdAtMs = Date.parse(record.created_at);
  const isSound =
    typeof record.id === 'string' &&
    isGenerationId(record.id) &&
    statuses.includes(record.status) &&
    !Number.isNaN(createdAtMs);
  if (!isSound) {
    throw new step.z.errors.Error(
      'The Base URL does not lead to the API. Check the Base URL of this connection.',
      'base_url',
      answer.status,
    );
  }
  const hint = Number(record.retry_after_seconds) || answer.retryAfterSeconds || 15;
  const endedAtMs = Date.parse(record.completed_at ?? '') || createdAtMs;
  return {
    record,
    ageMs: answer.serverNowMs - createdAtMs,
    endedAgeMs: isFinal(record.status) ? answer.serverNowMs - endedAtMs : null,
    retryAfterSeconds: Math.max(1, hint),
  };
}

/** Polls a generation once. @returns null when the account has no such generation. */
export async function getGeneration(step: Step, id: string): Promise<Reading | null> {
  const path = `/generations/${id}`;
  const answer = await call(step, id, { method: 'GET', path }, [404]);
  return answer.status === 404 ? null : readGeneration(step, answer);
}

/** Whether the generation has ended, completed or failed. */
export function hasEnded({ record }: Reading): boolean {
  return isFinal(record.status);
}
