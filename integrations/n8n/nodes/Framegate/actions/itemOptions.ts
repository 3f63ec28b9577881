import type { IDataObject } from 'n8n-workflow';
import { attemptsRange } from '../fields/attempts';
import type { FieldName } from '../fields/labels';
import { defaultBinaryField, defaultTimeoutSeconds, onTimeoutNames } from '../fields/waitOptions';
import {
  type ItemContext,
  parseChoice,
  parseCount,
  parsePositive,
  parseSwitch,
  parseText,
  refusedValue,
} from './parseValues';

/** How an item is awaited and passed on. */
export interface ItemOptions {
  timeoutSeconds: number;
  onTimeout: 'return' | 'stop';
  shouldDownload: boolean;
  binaryField: string;
  isSimplified: boolean;
}

/** Further options of create requests. */
export interface CreateOptions extends ItemOptions {
  shouldWait: boolean;
  attempts: number;
  maxCredits: number | undefined;
  /** The user's own key. */
  idempotencyKey: string | undefined;
}

/** Form of an idempotency key: 1 to 255 visible ASCII characters. */
const keyPattern = /^[\x21-\x7e]{1,255}$/;

const orRemove = 'Give it a value, or remove the option.';

/**
 * The checked options of an item of Generation: Get or Wait. An added option must have a value: otherwise an expression
 * without one would be ignored silently.
 * @throws NodeOperationError with the label of the option at fault.
 */
export function itemOptions(place: ItemContext): ItemOptions {
  return { ...waitOptions(place, addedOptions(place)) };
}

/**
 * The checked options of an item of Video: Create or Image: Create.
 * @throws NodeOperationError with the label of the option at fault.
 */
export function createOptionsOf(place: ItemContext): CreateOptions {
  const options = addedOptions(place);
  return {
    ...waitOptions(place, options),
    shouldWait: readSwitchField(place, 'wait', true),
    attempts: has(options, 'attempts')
      ? parseCount(place, 'attempts', options['attempts'], attemptsRange, orRemove)
      : 1,
    maxCredits: has(options, 'maxCredits')
      ? parsePositive(place, 'maxCredits', options['maxCredits'], orRemove)
      : undefined,
    idempotencyKey: has(options, 'idempotencyKey')
      ? parseKey(place, options['idempotencyKey'])
      : undefined,
  };
}

/** A switch of the node itself. @param usual Its value if the field is hidden. */
export function readSwitchField(place: ItemContext, field: FieldName, usual: boolean): boolean {
  return parseSwitch(
    place,
    field,
    place.context.getNodeParameter(field, place.itemIndex, usual) as unknown,
  );
}

function addedOptions({ context, itemIndex }: ItemContext): IDataObject {
  return context.getNodeParameter('options', itemIndex, {}) as IDataObject;
}

const has = (options: IDataObject, field: FieldName) => Object.hasOwn(options, field);

function waitOptions(place: ItemContext, options: IDataObject): ItemOptions {
  return {
    timeoutSeconds: has(options, 'timeoutSeconds')
      ? parsePositive(place, 'timeoutSeconds', options['timeoutSeconds'], orRemove)
      : defaultTimeoutSeconds,
    onTimeout: has(options, 'onTimeout')
      ? parseChoice(place, 'onTimeout', options['onTimeout'], onTimeoutNames)
      : 'return',
    binaryField: has(options, 'binaryField')
      ? parseText(place, 'binaryField', options['binaryField']).trim()
      : defaultBinaryField,
    shouldDownload: readSwitchField(place, 'download', false),
    isSimplified: readSwitchField(place, 'simplify', true),
  };
}

function parseKey(place: ItemContext, value: unknown): string {
  const key = parseText(place, 'idempotencyKey', value).trim();
  if (keyPattern.test(key)) return key;
  const rule = 'must be 1 to 255 letters, digits and symbols without spaces';
  throw refusedValue(place, 'idempotencyKey', rule, value);
}
