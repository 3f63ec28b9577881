import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { DeliveryAspect } from '@framegate/contract/deliveryAspects';
import type { Difference } from '../generations/delivery.ts';
import {
  afterDelivery,
  type DeliveryRecord,
  describeCapability,
  maxGross,
  noUndelivered,
  restoreAll,
  sells,
  withheldBy,
} from './withheld.ts';

type OrderedPart = Parameters<typeof sells>[1];

const order = (more: object = {}): OrderedPart => ({
  type: 'video',
  parameters: {
    resolution: '2160p',
    aspect_ratio: '16:9',
    duration_seconds: 10,
    generate_audio: true,
    seed: 1,
    real_person_mode: false,
    ...more,
  },
});
const images = (n: number): OrderedPart => ({
  type: 'image',
  parameters: { n, resolution: '2k', aspect_ratio: '1:1', output_format: 'png', seed: 1 },
});
const gross = (...aspects: DeliveryAspect[]): Difference[] =>
  aspects.map((each) => ({ in: each, ordered: 'a', delivered: 'b', isGross: true }));

let last = 0;
const deliver = (
  record: DeliveryRecord,
  differences: readonly Difference[],
  of = order(),
  generationId = `gen_${(last += 1)}`,
) => afterDelivery(record, { generationId, order: of, differences }, 7) ?? record;
const times = (count: number, differences: readonly Difference[], of = order()) =>
  Array.from({ length: count }).reduce<DeliveryRecord>(
    (record) => deliver(record, differences, of),
    noUndelivered,
  );
const withheld = (record: DeliveryRecord) =>
  withheldBy(record).map(({ capability }) => describeCapability(capability));

describe('a route', () => {
  test('sells everything until three consecutive deliveries differed', () => {
    const twice = times(maxGross - 1, gross('size'));
    expect([withheld(twice), sells(twice, order())]).toEqual([[], true]);
    const thrice = deliver(twice, gross('size'));
    expect(withheld(thrice)).toEqual(['resolution 2160p']);
    expect([sells(thrice, order()), sells(thrice, order({ resolution: '720p' }))]).toEqual([
      false,
      true,
    ]);
    expect(withheldBy(thrice)[0]?.withheldAt).toBe(7);
  });

  test.each<[DeliveryAspect, OrderedPart, string, OrderedPart, OrderedPart]>([
    ['sound', order(), 'sound', order({ generate_audio: true }), order({ generate_audio: false })],
    [
      'length',
      order(),
      '10 seconds or more',
      order({ duration_seconds: 12 }),
      order({ duration_seconds: 9 }),
    ],
    ['files', images(2), '2 files or more', images(3), images(1)],
    ['type', order(), 'every video', order({ resolution: '480p' }), images(1)],
  ])('without %s covers no requests that need it', (aspect, of, text, lost, kept) => {
    const record = times(maxGross, gross(aspect), of);
    expect(withheld(record)).toEqual([text]);
    expect([sells(record, lost), sells(record, kept)]).toEqual([false, true]);
  });

  test('starts over after a correct delivery, but only for its properties', () => {
    const twice = times(2, gross('size', 'sound'));
    const silent = deliver(twice, [], order({ generate_audio: false }));
    expect(withheld(deliver(silent, gross('size', 'sound')))).toEqual(['sound']);
  });

  test('counts a generation once, however often its process was killed', () => {
    const again = () => deliver(noUndelivered, gross('size'), order(), 'gen_same');
    const record = again();
    const same = { generationId: 'gen_same', order: order(), differences: gross('size') };
    expect(afterDelivery(record, same, 8)).toBeNull();
  });

  test('sells again by a decision of staff, not after a late correct delivery', () => {
    const record = times(maxGross, gross('size'));
    expect(withheld(deliver(record, []))).toEqual(['resolution 2160p']);
    expect(restoreAll(record)).toEqual(noUndelivered);
    expect(restoreAll(noUndelivered)).toBeNull();
  });

  test('keeps a bounded record, for any deliveries', () => {
    const aspect = fc.constantFrom<DeliveryAspect>('size', 'ratio', 'length', 'sound', 'files');
    const some = fc.array(fc.tuple(fc.uniqueArray(aspect), fc.integer({ min: 1, max: 15 })));
    fc.assert(
      fc.property(some, (deliveries) => {
        const record = deliveries.reduce<DeliveryRecord>(
          (each, [aspects, seconds]) =>
            deliver(each, gross(...aspects), order({ duration_seconds: seconds })),
          noUndelivered,
        );
        expect(record.undelivered.length).toBeLessThanOrEqual(2 + 15 + 1);
        for (const { generations } of record.undelivered) {
          expect(generations.length).toBeLessThanOrEqual(maxGross);
        }
      }),
    );
  });
});
