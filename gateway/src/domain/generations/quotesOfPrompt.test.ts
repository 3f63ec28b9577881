import { expect, test } from '@jest/globals';
import { imageParameters, videoParameters, type TextRow } from '@framegate/contract';
import { quotesOfPrompt, withoutWords } from './quotesOfPrompt.ts';

const row: TextRow = {
  ...videoParameters.seed,
  kind: 'text',
  default: null,
  maxLength: 500,
  hasLines: false,
  support: null,
};

test('parameters that take words are removed with the prompt, and no others', () => {
  const tables = [{ ...videoParameters, negative_prompt: row }, imageParameters];
  expect(withoutWords(...tables)).toEqual({
    ...quotesOfPrompt.parameters,
    negative_prompt: null,
  });
});
