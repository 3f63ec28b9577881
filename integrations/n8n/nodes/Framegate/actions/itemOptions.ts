import type { IExecuteFunctions } from 'n8n-workflow';
import { usualBinaryField, usualTimeoutSeconds } from '../fields/waitOptions';

/** How an item is waited for and handed on. */
export interface ItemOptions {
  timeoutSeconds: number;
  onTimeout: 'return' | 'stop';
  download: boolean;
  binaryField: string;
  simplify: boolean;
}

/** What creates have beside that. */
export interface CreateOptions extends ItemOptions {
  wait: boolean;
  attempts: number;
  maximumCredits: number | undefined;
  idempotencyKey: string | undefined;
}

/** Options of an item of Generation: Get or Wait. */
export function itemOptions(context: IExecuteFunctions, item: number): ItemOptions {
  const options = context.getNodeParameter('options', item, {}) as Partial<ItemOptions>;
  return {
    timeoutSeconds: Number(options.timeoutSeconds ?? usualTimeoutSeconds),
    onTimeout: options.onTimeout ?? 'return',
    binaryField: options.binaryField || usualBinaryField,
    download: context.getNodeParameter('download', item, false) as boolean,
    simplify: context.getNodeParameter('simplify', item, true) as boolean,
  };
}

/** Options of an item of Video: Create or Image: Create. */
export function createOptionsOf(context: IExecuteFunctions, item: number): CreateOptions {
  const options = context.getNodeParameter('options', item, {}) as Partial<CreateOptions>;
  const { maximumCredits, idempotencyKey } = options;
  return {
    ...itemOptions(context, item),
    wait: context.getNodeParameter('wait', item, true) as boolean,
    attempts: Math.max(1, Number(options.attempts ?? 1)),
    maximumCredits: maximumCredits === undefined ? undefined : Number(maximumCredits),
    idempotencyKey: String(idempotencyKey ?? '').trim() || undefined,
  };
}
