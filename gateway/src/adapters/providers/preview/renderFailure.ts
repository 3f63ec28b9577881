/**
 * How a render may fail, as the gateway maps it: `input_invalid` when an input cannot be drawn,
 * `render_failed` for everything else. The text goes to staff, never to a client.
 */
export class RenderFailure extends Error {
  readonly kind: 'input_invalid' | 'render_failed';

  constructor(kind: 'input_invalid' | 'render_failed', reason: string, cause?: unknown) {
    super(`${kind}: ${reason}`, { cause });
    this.name = 'RenderFailure';
    this.kind = kind;
  }

  /** The failure that a text written by `failureText` speaks of. */
  static fromText(text: string, cause?: unknown): RenderFailure {
    const [, kind, reason] = /^(input_invalid|render_failed): ([^]*)$/.exec(text) ?? [];
    return kind === 'input_invalid'
      ? new RenderFailure('input_invalid', reason ?? '', cause)
      : new RenderFailure('render_failed', reason ?? text, cause);
  }
}

/** The text of any error in the form that the gateway maps. */
export function failureText(error: unknown): string {
  if (error instanceof RenderFailure) return error.message;
  return `render_failed: ${error instanceof Error ? error.message : String(error)}`;
}

/** Gives any error the form that the gateway maps, with its cause. */
export function rethrowAsFailure(error: unknown): never {
  if (error instanceof RenderFailure) throw error;
  throw RenderFailure.fromText(failureText(error), error);
}
