import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import {
  builtInBrand,
  contrastProblems,
  grounds,
  schemes,
  senderOf,
  slugOf,
  tintShare,
} from './brand.ts';
import { contrast, mix } from './contrast.ts';

test('contrast is as WCAG computes it', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.478, 3);
  expect(contrast('#336699', '#336699')).toBe(1);
  expect(mix('#ff0000', '#ffffff', 0.5)).toBe('#ff8080');
});

test('the built-in colours are easy to read', () => {
  const { colours } = builtInBrand;
  expect(schemes.flatMap((scheme) => contrastProblems(scheme, colours[scheme]))).toEqual([]);
});

test('a contrast that just falls short is shown rounded down', () => {
  const [problem] = contrastProblems('light', { accent: '#6d6d6d', onAccent: '#ffffff' });
  expect(problem?.sentence).toMatch(/is 4\.\d\d:1, and at least 4\.5:1 is needed$/);
});

test('backgrounds and tint match the style sheets', () => {
  const assets = new URL('../../http/pages/assets/', import.meta.url);
  const base = readFileSync(new URL('base.css', assets), 'utf8');
  expect(base).toContain(`--ground: light-dark(${grounds.light}, ${grounds.dark})`);
  const parts = readFileSync(new URL('parts.css', assets), 'utf8');
  const badge = /\.badge \{[^}]*\}/.exec(parts)?.[0];
  expect(badge).toContain(`color-mix(in srgb, var(--tone) ${tintShare * 100}%, var(--ground))`);
});

test.each([
  ['Aurora Studio', 'aurora-studio'],
  ['Ångström & Cie.', 'angstrom-cie'],
  ['光', 'media'],
])('the name %j stands as %j in file names', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

test.each([
  ['Aurora', null, null, 'Aurora <no-reply@a.example>'],
  ['Müller, Söhne', null, 'post@m.example', '"Müller, Söhne" <post@m.example>'],
  ['Aurora', 'Team Aurora', null, 'Team Aurora <no-reply@a.example>'],
])('mails of %s', (name, mailName, address, from) => {
  expect(senderOf({ name, mail: { name: mailName, address } }, 'a.example')).toBe(from);
});
