import { expect, test } from '@jest/globals';
import { findModel, type Model } from '@framegate/contract';
import { smallestRequests } from './placeTestOrder.ts';

const picture = { mediaType: 'image/png', read: async () => new Uint8Array(), url: () => 'data:,' };

test.each([
  ['alpha-2.5', 'first_frame last_frame'],
  ['image-a-2', 'reference'],
])('a route of %s that needs %s has an order', (id, needed) => {
  const rolesOf = ({ inputs }: { inputs: readonly { role: string }[] }) =>
    inputs.map(({ role }) => role).join(' ');
  const covers = (request: { inputs: readonly object[] }) =>
    rolesOf(request as Parameters<typeof rolesOf>[0]) === needed;
  const requests = smallestRequests(findModel(id) as Model, { covers }, picture);
  expect(requests.map(rolesOf)).toEqual([needed]);
});

test('a route gets its smallest order first, then one with each further set of inputs', () => {
  const requests = smallestRequests(
    findModel('alpha-2.5') as Model,
    { covers: ({ mode }) => mode === 'image-to-video' },
    picture,
  );
  expect(requests.map(({ inputs }) => inputs.length)).toEqual([1, 2]);
});
