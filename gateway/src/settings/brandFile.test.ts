import { describe, expect, test } from '@jest/globals';
import { builtInBrand } from '../domain/brand/brand.ts';
import { parseBrandFile } from './brandFile.ts';

const none = () => {
  throw new Error('cannot be read (ENOENT)');
};

function problemsOf(content: unknown): readonly string[] {
  try {
    parseBrandFile(content, none, null);
  } catch (error) {
    return (error as { problems: readonly string[] }).problems;
  }
  throw new Error('it was taken');
}

describe('BRAND_FILE', () => {
  test('with a name alone keeps the built-in look', () => {
    expect(parseBrandFile({ name: 'Aurora' }, none, null)).toEqual({
      ...builtInBrand,
      name: 'Aurora',
      slug: 'aurora',
    });
  });

  test('gives every part', () => {
    const brand = parseBrandFile(
      {
        name: 'Größe & Söhne',
        colours: {
          light: { accent: '#5B2BD9' },
          dark: { accent: '#b9a5ff', on_accent: '#1a0f3d' },
        },
        support: 'mailto:help@aurora.example',
        legal: { terms: 'https://aurora.example/terms' },
        mail: { address: 'hello@aurora.example' },
        languages: ['de', 'en'],
      },
      none,
      null,
    );
    expect(brand).toEqual({
      name: 'Größe & Söhne',
      slug: 'grosse-sohne',
      logo: null,
      colours: {
        light: { accent: '#5b2bd9', onAccent: '#ffffff' },
        dark: { accent: '#b9a5ff', onAccent: '#1a0f3d' },
      },
      support: 'mailto:help@aurora.example',
      legal: { terms: 'https://aurora.example/terms', privacy: null, imprint: null },
      mail: { name: null, address: 'hello@aurora.example' },
      languages: ['de', 'en'],
      showpieces: [],
    });
  });

  test('names every problem with its place and the intended name', () => {
    const wrong = {
      name: 'A\r\nBcc: x',
      colors: {},
      colours: { light: { accent: 'teal', onaccent: '#fff' } },
      support: 'javascript:alert(1)',
      legal: { term: 'https://x.example', privacy: 'mailto:a@b.example', imprint: 'imprint.html' },
      mail: { name: '"', address: 'a@b.example>, <c@d.example' },
      languages: ['en', 'dee', 'en'],
    };
    expect(problemsOf(wrong)).toEqual([
      'name must have 1 to 40 characters, without : " < > \\ or line breaks.',
      'colours.light.accent is not a colour such as #0f6e66.',
      'colours.light.onaccent is not a known field (did you mean "on_accent"?).',
      'colours.dark is required.',
      'support is not an https, http or mailto address.',
      'legal.privacy is not an https or http address.',
      'legal.imprint is not an https or http address.',
      'legal.term is not a known field (did you mean "terms"?).',
      'mail.name must have 1 to 40 characters, without : " < > \\ or line breaks.',
      'mail.address is not an email address.',
      'languages[1] must be one of en, de (did you mean "de"?).',
      'languages[2] contains a duplicate value.',
      'colors is not a known field (did you mean "colours"?).',
    ]);
  });

  test.each([[null], [[]], ['Aurora'], [{}], [{ name: '' }], [{ name: ' Aurora' }]])(
    'refuses %j',
    (content) => {
      expect(problemsOf(content)).toHaveLength(1);
    },
  );

  test('colours that are hard to read are refused with both ratios', () => {
    const colours = {
      light: { accent: '#7cc4ff', on_accent: '#ffffff' },
      dark: { accent: '#4a4a4a' },
    };
    expect(problemsOf({ name: 'Aurora', colours })).toEqual([
      'colours.light.accent is #7cc4ff: its contrast with #eef7ff, the background of badges on light pages, is 1.73:1, and at least 4.5:1 is needed.',
      'colours.light.on_accent is #ffffff: its contrast with the accent, which is the background of buttons, is 1.87:1, and at least 4.5:1 is needed.',
      'colours.dark.accent is #4a4a4a: its contrast with #171c1d, the background of badges on dark pages, is 1.94:1, and at least 4.5:1 is needed.',
    ]);
  });
});
