import { expect, test } from '@jest/globals';
import { imageParameters, videoParameters } from '@framegate/contract';
import { quotesOfPrompt, withoutWords } from './quotesOfPrompt.ts';

test('parameters that take words are removed with the prompt, and no others', () => {
  const other = { ...videoParameters, wish: videoParameters.negative_prompt };
  expect(quotesOfPrompt.parameters).toEqual({ negative_prompt: null });
  expect(withoutWords(other, imageParameters)).toEqual({ negative_prompt: null, wish: null });
});
