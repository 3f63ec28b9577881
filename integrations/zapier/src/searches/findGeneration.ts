import type { Search, SearchPerform } from 'zapier-platform-core';
import { waitField } from '../fields/commonFields.ts';
import { failure, followGeneration } from '../followGeneration.ts';
import { getGeneration, parseGenerationId } from '../generation.ts';
import { parseFlag, parseText } from '../inputValues.ts';
import { foundOutput, foundSampleOutput } from '../output.ts';
import { foundOutputFields } from '../outputFields.ts';
import { foundSample } from '../samples.ts';
import { beginStep, isLoadingSample } from '../step.ts';

const perform: SearchPerform = async (z, bundle) => {
  const id = parseGenerationId(parseText(bundle.inputData['generation']) ?? '');
  // Only an id is ever put into a URL.
  if (id === null) return [];
  const isTest = isLoadingSample(bundle);
  const sample = isTest ? foundSampleOutput(z, id) : null;
  if (sample !== null) return [sample];
  const step = beginStep(z, bundle);
  const reading = await getGeneration(step, id);
  if (reading === null) return [];
  const waits = parseFlag(bundle.inputData['wait']) !== false && !isTest;
  if (!waits) return [foundOutput(z, reading.record)];
  const last = await followGeneration(step, reading);
  if (last.record.status === 'failed') throw failure(step, last);
  return [foundOutput(z, last.record)];
};

/** Reads a generation by its id, and waits for it. Reading is free and may be repeated. */
export const findGeneration = {
  key: 'find_generation',
  noun: 'Generation',
  display: {
    label: 'Find Generation',
    description: 'Finds a video or image generation and its files.',
  },
  operation: {
    perform,
    inputFields: [
      {
        key: 'generation',
        label: 'Generation',
        type: 'string',
        required: true,
        placeholder: 'gen_01kagw2m5t9x3q7r8v4c6e0hjn',
        helpText:
          'Map the Generation ID from a Create Video or Create Image step. The status URL of the generation works as well.',
      },
      waitField('with the generation as it is'),
    ],
    outputFields: foundOutputFields,
    sample: foundSample,
  },
} satisfies Search;
