import { expect, test } from '@jest/globals';
import type { Schema, SchemaType } from 'mongoose';
import { isJsonObject } from '@framegate/contract';
import { quotesOfPrompt } from '../../../domain/generations/quotesOfPrompt.ts';
import { generationSchema } from './generations.ts';

/** Texts that quote no prompt, by the reason. Text that others write belongs to `quotesOfPrompt`. */
const quoteNothing: Readonly<Record<string, string>> = {
  'ids, hashes and keys of files':
    '_id accountId keyId madeBy requestId trace.traceId trace.spanId inputs.ownOutput.generationId inputs.ownUpload ' +
    'monthCounted.keyId monthCounted.memberId charge.lotId storedInputs.key storedInputs.sha256 outputs.key ' +
    'outputs.sha256 attempts.keyPrint attempts.arrived.keys replay.scope replay.fingerprint replaces collectionIds ' +
    'timeline.process leasedBy tidyLease',
  'names and phrases of ours':
    'model mode priceGroup providerSlot routeSlot waitsFor.providers storedInputs.mediaType outputs.extension ' +
    'outputs.mediaType attempts.provider attempts.model attempts.key attempts.fault attempts.doubt.sign ' +
    'attempts.cost.currency attempts.charged.currency attempts.differences.ordered attempts.differences.delivered failure.param timeline.what ' +
    'resolution.by',
  'handles of providers and their figures':
    'attempts.handle attempts.operationShown attempts.taskId attempts.reported operationIds',
  'numbers and choices; words are in `quotesOfPrompt`': 'parameters',
  'records of real-person mode, kept for audits':
    'realPerson.consentReference realPerson.policyVersion realPerson.callerAddress',
  'the first response, which has no prompt and its own retention': 'replay.body replay.headers',
};

test('each text of a generation is known to quote the prompt or not', () => {
  const quoting = [...leavesOf(quotesOfPrompt)];
  const isCleared = (path: string) =>
    quoting.some((leaf) => path === leaf || path.startsWith(`${leaf}.`));
  const left = [...textsOf(generationSchema)].filter((path) => !isCleared(path));
  const known = Object.values(quoteNothing).flatMap((paths) => paths.split(' '));
  expect(left.toSorted()).toEqual(known.toSorted());
});

/** Paths of the values in the list. */
function* leavesOf(list: object, prefix = ''): Generator<string> {
  for (const [name, value] of Object.entries(list) as [string, unknown][]) {
    const fields: unknown = Array.isArray(value) && value.length > 0 ? value[0] : value;
    if (isJsonObject(fields)) yield* leavesOf(fields, `${prefix}${name}.`);
    else yield prefix + name;
  }
}

/** Paths of all fields that can hold a free text. */
function* textsOf(schema: Schema, prefix = ''): Generator<string> {
  for (const [name, type] of Object.entries(schema.paths)) {
    const { instance, schema: part, embeddedSchemaType: element } = type as PathType;
    const inner = part ?? element?.schema;
    if (inner) {
      yield* textsOf(inner, `${prefix}${name}.`);
    } else if (['String', 'Mixed'].includes(element?.instance ?? instance) && !hasChoices(type)) {
      yield prefix + name;
    }
  }
}

type PathType = SchemaType & { schema?: Schema; embeddedSchemaType?: PathType };

const hasChoices = (type: SchemaType) =>
  ((type as { enumValues?: readonly string[] }).enumValues ?? []).length > 0;
