import type { Generation } from '../../domain/generation.ts';
import type { SpanOptions } from '../ports/traces.ts';

/** A piece of work on a generation as a span of the trace in which it was created. */
export function spanOf({ id, step, trace }: Generation): SpanOptions {
  const attributes = { 'framegate.generation_id': id, 'framegate.step': step };
  return trace ? { parent: trace, attributes } : { attributes };
}
