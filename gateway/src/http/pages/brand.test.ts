import { expect, test } from '@jest/globals';
import { type Brand, builtInBrand } from '../../domain/brand/brand.ts';
import type { Logo } from '../../domain/brand/logo.ts';
import { brandLink, foot, iconLinks } from './brand.ts';

const logoOf = (ratio: number, type: Logo['type'] = 'image/svg+xml'): Logo => ({
  type,
  bytes: Buffer.from('logo'),
  ratio,
});
const withLogo = (light: Logo, dark = light, icon: Logo | null = null): Brand => ({
  ...builtInBrand,
  name: 'Aurora & Co',
  logo: { light, dark, icon },
});
const flat = (markup: string) => markup.replace(/\s+/g, ' ').replace(/ ?(<|>) ?/g, '$1');

test('a mark stands next to the name', () => {
  const { markup } = brandLink(withLogo(logoOf(1)), '/staff', 'staff');
  expect(flat(markup)).toBe(
    '<a class="brand" href="/staff"><img src="/site/logo.svg" alt="" width="26" height="26" />Aurora &amp; Co<span class="quiet">staff</span></a>',
  );
});

test('a logo with the name in it stands for the name, in its own proportions', () => {
  const { markup } = brandLink(withLogo(logoOf(4, 'image/png')), '/');
  expect(flat(markup)).toBe(
    '<a class="brand" href="/"><img src="/site/logo.png" alt="Aurora &amp; Co" width="104" height="26" /></a>',
  );
});

test('browser tabs show the logo of their scheme, or the single icon', () => {
  const [light, dark] = [logoOf(1), logoOf(1)];
  expect(flat(iconLinks(withLogo(light, dark)).markup)).toBe(
    '<link rel="icon" href="/site/logo.svg" type="image/svg+xml" media="(prefers-color-scheme: light)" />' +
      '<link rel="icon" href="/site/logo-dark.svg" type="image/svg+xml" media="(prefers-color-scheme: dark)" />',
  );
  expect(flat(iconLinks(withLogo(light, dark, logoOf(1, 'image/png'))).markup)).toBe(
    '<link rel="icon" href="/site/icon.png" type="image/png" />',
  );
});

test('pages without links of the operator have no footer', () => {
  expect(foot(builtInBrand, null)).toBeNull();
  const terms = 'https://aurora.example/terms?a&b';
  const legal = { ...builtInBrand.legal, terms };
  expect(flat(foot({ ...builtInBrand, legal }, null)?.markup ?? '')).toBe(
    '<footer><a href="https://aurora.example/terms?a&amp;b">Terms</a></footer>',
  );
});
