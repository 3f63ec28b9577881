import { describe, expect, test } from '@jest/globals';
import { internalRefusals } from '../domain/refusalCodes.ts';
import { catalogueOf } from './text.ts';

describe('the refusals', () => {
  test.each(['en', 'de'] as const)('have words in %s, which name no command', (language) => {
    const words = Object.entries(catalogueOf(language)).filter(([key]) =>
      key.startsWith('refusals.'),
    );
    for (const code of Object.keys(internalRefusals)) {
      expect(words.map(([key]) => key)).toContain(`refusals.${code}`);
    }
    expect(words.filter(([, text]) => /npm run admin| --\w/.test(text))).toEqual([]);
  });
});
