import Joi from 'joi';
import type { Limits } from '../domain/limits.ts';

const count = (min: number) => Joi.number().integer().min(min).max(1_000_000_000);

/** The limits as LIMITS_FILE writes them. */
const limitsSchema = Joi.object({
  creates_per_minute: count(1),
  burst: count(1),
  running: count(1),
  waiting: count(0),
  status_reads_per_minute: count(1),
  other_reads_per_minute: count(1),
}).label('limits');

interface LimitsContent {
  creates_per_minute?: number;
  burst?: number;
  running?: number;
  waiting?: number;
  status_reads_per_minute?: number;
  other_reads_per_minute?: number;
}

/**
 * The default limits with what LIMITS_FILE says instead.
 * @throws Error that names every problem with its place in the file.
 */
export function readLimits(content: unknown, defaults: Limits): Limits {
  const { value, error } = limitsSchema.validate(content, {
    abortEarly: false,
    convert: false,
  }) as { value: LimitsContent; error?: Joi.ValidationError };
  if (error !== undefined) {
    throw new Error(error.details.map(({ message }) => message.replaceAll('"', '')).join('; '));
  }
  return {
    createsPerMinute: value.creates_per_minute ?? defaults.createsPerMinute,
    burst: value.burst ?? defaults.burst,
    running: value.running ?? defaults.running,
    waiting: value.waiting ?? defaults.waiting,
    statusReadsPerMinute: value.status_reads_per_minute ?? defaults.statusReadsPerMinute,
    otherReadsPerMinute: value.other_reads_per_minute ?? defaults.otherReadsPerMinute,
  };
}
