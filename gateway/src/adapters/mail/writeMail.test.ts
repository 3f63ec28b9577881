import { expect, test } from '@jest/globals';
import { builtInBrand } from '../../domain/brand/brand.ts';
import { writeMail } from './writeMail.ts';

const mail = {
  subject: 'A & B',
  parts: [
    `A paragraph about “key <b>” that is longer than one line of a mail may be, so that it is broken.`,
    { code: '1234 5678' },
    { button: 'Open it', url: 'https://a.example/x?a=1&b="2"' },
  ],
};

const written = (support: string | null) =>
  writeMail(mail, { accountUrl: 'https://a.example', support, brand: builtInBrand });

test('an email has the same words as text and as HTML, with one button', () => {
  const { text, html } = written('mailto:help@a.example');
  expect(text.split('\n')).toEqual([
    'A paragraph about “key <b>” that is longer than one line of a mail may',
    'be, so that it is broken.',
    '',
    'Your code is 1234 5678',
    '',
    'https://a.example/x?a=1&b="2"',
    '',
    'Questions? Contact support: help@a.example',
    '',
  ]);
  expect(html).toContain('“key &lt;b&gt;” that is longer');
  expect(html).toMatch(/font:700 32px[^>]*>1234 5678</);
  expect(html.match(/display:inline-block/g)).toHaveLength(1);
  expect(html).toContain('href="https://a.example/x?a=1&amp;b=&quot;2&quot;"');
  expect(html).toContain('<a href="mailto:help@a.example"');
  expect(html).toContain('<title>A &amp; B</title>');
  // It loads nothing, so opening it is not tracked.
  expect(html).not.toMatch(/<img|<link|<script|url\(/);
});

test('without an address of support, none is named', () => {
  const { text, html } = written(null);
  expect(text + html).not.toContain('support');
});
