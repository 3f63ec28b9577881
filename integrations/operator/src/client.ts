import { UsageError } from './errors.ts';
import { Operations } from './generated/operations.ts';
import { requireIdempotencyKey } from './generated/options.ts';
import type { Operation, Sender } from './operation.ts';
import { type Call, send } from './request.ts';
import { completeSettings, type OperatorOptions, type Settings } from './settings.ts';

/** The operator API for one key. Each operation of its OpenAPI document is a method of the same name. */
export class FramegateOperator extends Operations {
  protected override readonly sender: Sender;

  /** @throws UsageError for settings that cannot work. */
  constructor(options: OperatorOptions = {}) {
    super();
    const settings = completeSettings(options);
    this.sender = {
      send: async <T>(operation: Operation) =>
        (await send(settings, callOf(settings, operation))) as T,
      sleep: (ms, signal) => settings.platform.sleep(ms, signal),
    };
  }
}

/** @throws UsageError */
function callOf({ platform }: Settings, operation: Operation): Call {
  const { method, path, object, query = {}, body, isWrite = false, options } = operation;
  const key = 'idempotencyKey' in options ? options.idempotencyKey : undefined;
  const seconds = 'wait_seconds' in query ? Number(query.wait_seconds ?? 0) : 0;
  return {
    method,
    path: path.map(segment).join('') + search(query),
    object,
    // Once, so that all attempts send the same bytes even if the caller changes the object.
    body: body === undefined ? undefined : JSON.stringify(body),
    idempotencyKey: isWrite ? requireIdempotencyKey(key ?? platform.newKey()) : undefined,
    signal: options.signal,
    waitMs: seconds > 0 ? seconds * 1000 : 0,
  };
}

/** A part of a path: fixed text, or an inserted value. */
function segment(part: string | { value: string }): string {
  if (typeof part === 'string') return part;
  const { value } = part;
  // One or two dots would lead to another operation.
  if (typeof value === 'string' && /^[!-~]{1,128}$/.test(value) && !/^\.\.?$/.test(value)) {
    return encodeURIComponent(value);
  }
  throw new UsageError('invalid_id', 'An ID must be 1 to 128 visible ASCII characters.');
}

function search(query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? '' : `?${parameters.toString()}`;
}
