import { expect, test } from '@jest/globals';
import { sitePages } from './accountRoutes.ts';
import { pageRights, rightFor } from './pageRights.ts';
import type { Site } from './site.ts';

/** Stands in for every dependency, because routes are only registered here. */
const anything: unknown = new Proxy(() => anything, {
  get(_target, name) {
    if (name === Symbol.iterator) return [][Symbol.iterator];
    return name === Symbol.toPrimitive ? () => 'https://site.example' : anything;
  },
});

test('each page and form of the site names its required right, and no other path does', () => {
  const pages = sitePages(anything as Site, anything as Parameters<typeof sitePages>[1]);
  const routes = pages.stack.flatMap(({ methods, path }) =>
    methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${path}`),
  );
  expect(routes.length).toBeGreaterThan(60);
  expect(routes.toSorted()).toEqual(Object.keys(pageRights).toSorted());
});

test('parts of a path may vary, and paths that merely resemble another need an owner', () => {
  expect(rightFor('GET', '/generations/gen_1/share')).toBe('publish own work');
  expect(rightFor('HEAD', '/credits')).toBe('see credits');
  for (const path of [
    '/creditscore',
    '/credits/',
    '/x/credits',
    '/generations/a/b/share',
    '/new',
  ]) {
    expect([path, rightFor('GET', path)]).toEqual([path, 'manage the team']);
  }
  expect(rightFor('DELETE', '/credits')).toBe('manage the team');
});
