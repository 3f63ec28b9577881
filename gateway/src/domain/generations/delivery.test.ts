import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { deliveryAspects } from '@framegate/contract/deliveryAspects';
import type { ResultMeasures } from '@framegate/media';
import type { DeliveryRule } from '@framegate/provider-routes';
import {
  compareDelivery,
  type Difference,
  type ExpectedDelivery,
  isDoubtful,
  refusedFor,
} from './delivery.ts';

const uhd = { width: 3840, height: 2160 };
const hd = { width: 1280, height: 720 };
const video: ExpectedDelivery = {
  sizes: [hd],
  ratioFrom: 'order',
  files: 1,
  seconds: 5,
  sound: false,
};
const image: ExpectedDelivery = {
  ...video,
  sizes: [{ width: 1024, height: 1024 }],
  seconds: null,
  sound: null,
};
const made: ResultMeasures = { ...hd, seconds: 5, sound: false };

/** The kinds of differences, gross ones in capitals. */
const words = (differences: readonly Difference[]) =>
  differences.map((each) => (each.isGross ? each.in.toUpperCase() : each.in));
const compare = (order: Partial<ExpectedDelivery>, file: ResultMeasures) =>
  words(compareDelivery({ ...video, ...order }, [{ ...made, ...file }]));

describe('a delivery', () => {
  test('as ordered has no differences', () => {
    expect(compareDelivery(video, [made])).toEqual([]);
    expect(compareDelivery(image, [{ width: 1024, height: 1024 }])).toEqual([]);
  });

  test('of a second at 320x180 for 15 s at 2160p with sound differs grossly in all of them', () => {
    const order = { ...video, sizes: [uhd], seconds: 15, sound: true };
    const clip = { width: 320, height: 180, seconds: 1, sound: false };
    expect(compareDelivery(order, [clip])).toEqual([
      { in: 'size', ordered: '3840x2160', delivered: '320x180', isGross: true },
      { in: 'length', ordered: '15 s', delivered: '1 s', isGross: true },
      { in: 'sound', ordered: 'sound', delivered: 'no sound', isGross: true },
    ]);
  });

  test.each<[string, Partial<ExpectedDelivery>, ResultMeasures, string[]]>([
    ['0.5 s more', {}, { seconds: 5.5 }, []],
    ['0.6 s less', {}, { seconds: 4.4 }, ['length']],
    ['half of the seconds', {}, { seconds: 2.5 }, ['length']],
    ['under half of the seconds', {}, { seconds: 2.4 }, ['LENGTH']],
    ['twice the seconds', {}, { seconds: 10 }, ['length']],
    ['a pixel more a side', {}, { width: 1282, height: 722 }, []],
    ['a fifth less', {}, { width: 1144, height: 644 }, ['size']],
    ['the resolution below', {}, { width: 854, height: 480 }, ['SIZE']],
    ['the resolution above', {}, { width: 1920, height: 1080 }, ['size']],
    ['4:3 for 16:9', {}, { width: 1108, height: 831 }, ['ratio']],
    [
      'nearly square for square',
      { sizes: [{ width: 900, height: 900 }] },
      { width: 985, height: 830 },
      ['ratio'],
    ],
    ['square for landscape', {}, { width: 960, height: 960 }, ['RATIO']],
    ['portrait for landscape', {}, { width: 720, height: 1280 }, ['RATIO']],
    ['landscape for square', { sizes: [{ width: 960, height: 960 }] }, hd, ['RATIO']],
    [
      'portrait for a landscape picture',
      { ratioFrom: 'either' },
      { width: 720, height: 1280 },
      ['ratio'],
    ],
    [
      'a silent track for sound',
      { sound: true },
      { sound: true, isSilent: true, soundSeconds: 5 },
      ['SOUND'],
    ],
    ['a silent track for no sound', {}, { sound: true, isSilent: true, soundSeconds: 5 }, []],
    ['sound for a second of five', { sound: true }, { sound: true, soundSeconds: 1 }, ['SOUND']],
    ['sound for three seconds of five', { sound: true }, { sound: true, soundSeconds: 3 }, []],
    ['one flat colour', {}, { look: 'flat' }, ['flat']],
    ['a film that never moves', {}, { look: 'still' }, ['still']],
    ['one frame a second', {}, { framesPerSecond: 1 }, ['rate']],
    ['eight frames a second', {}, { framesPerSecond: 8 }, []],
    ['sound that was not ordered', {}, { sound: true }, ['sound']],
    ['no sound that was ordered', { sound: true }, {}, ['SOUND']],
    ['a file missing', { files: 2 }, {}, ['FILES']],
    ['nothing known of the size', { sizes: [] }, { width: 1, height: 1 }, []],
  ])('%s', (_name, order, file, expected) => {
    expect(compare(order, file)).toEqual(expected);
  });

  test('more files than ordered are a small difference', () => {
    expect(words(compareDelivery(image, [{}, {}]))).toEqual(['files']);
  });

  test('of several files the one that differs most counts', () => {
    const [good, wide, tiny] = [
      { width: 1024, height: 1024 },
      { width: 1448, height: 724 },
      { width: 64, height: 64 },
    ];
    const found = compareDelivery({ ...image, files: 3 }, [good, wide, tiny]);
    expect(words(found)).toEqual(['RATIO', 'SIZE']);
    expect(found[1]?.delivered).toBe('64x64');
  });

  test('with identical pictures is reported', () => {
    const [one, other] = [{ pixels: 'a' }, { pixels: 'b' }];
    const order = { ...image, files: 3 };
    expect(words(compareDelivery(order, [one, other, one]))).toEqual(['equal']);
    expect(compareDelivery({ ...image, files: 2 }, [one, other])).toEqual([]);
    // Too large to be looked at.
    expect(compareDelivery({ ...image, files: 2 }, [{}, {}])).toEqual([]);
  });

  test.each([
    ['the short side', { width: 1680, height: 720 }],
    ['the area', { width: 1470, height: 630 }],
    ['the long side', { width: 1280, height: 548 }],
    ['the long side of a narrow picture', { width: 320, height: 1280 }],
    ['the short side of a square', { width: 720, height: 720 }],
  ])('with the ratio of a picture may keep %s', (_name, size) => {
    expect(compare({ ratioFrom: 'picture' }, size)).toEqual([]);
    expect(compare({ ratioFrom: 'either' }, size)).toEqual(['ratio']);
  });

  test('with the ratio of a picture is still compared in its pixels', () => {
    expect(compare({ ratioFrom: 'picture' }, { width: 480, height: 480 })).toEqual(['SIZE']);
  });

  const side = fc.integer({ min: 64, max: 8192 });
  const size = fc.record({ width: side, height: side });
  const file = fc.record(
    {
      width: side,
      height: side,
      seconds: fc.float({ min: 0, max: 60, noNaN: true }),
      sound: fc.boolean(),
      isSilent: fc.boolean(),
      soundSeconds: fc.float({ min: 0, max: 60, noNaN: true }),
      framesPerSecond: fc.float({ min: 0, max: 60, noNaN: true }),
      look: fc.constantFrom('flat', 'still'),
      pixels: fc.constantFrom('a', 'b'),
    },
    { requiredKeys: [] },
  );
  const order: fc.Arbitrary<ExpectedDelivery> = fc.record({
    sizes: fc.array(size, { maxLength: 3 }),
    ratioFrom: fc.constantFrom('order', 'picture', 'either'),
    files: fc.integer({ min: 1, max: 4 }),
    seconds: fc.option(fc.integer({ min: 1, max: 30 })),
    sound: fc.option(fc.boolean()),
  });

  test('has at most one difference of each kind, and a gross one only for less than was ordered', () => {
    fc.assert(
      fc.property(order, fc.array(file, { maxLength: 5 }), (ordered, files) => {
        const found = compareDelivery(ordered, files);
        expect(new Set(found.map((each) => each.in)).size).toBe(found.length);
        for (const each of found.filter(({ isGross }) => isGross)) {
          const isLess = {
            files: files.length < ordered.files,
            length: files.some(({ seconds = Infinity }) => seconds < (ordered.seconds ?? 0) / 2),
            sound: ordered.sound === true,
            size: true,
            ratio: ordered.ratioFrom === 'order',
          };
          expect([each, isLess[each.in as keyof typeof isLess]]).toEqual([each, true]);
        }
      }),
    );
  });

  test('is refused by default only for a gross difference, otherwise by the settings', () => {
    const settlement = fc.constantFrom('refund', 'deliver');
    const rule: fc.Arbitrary<DeliveryRule> = fc.oneof(
      settlement,
      fc.dictionary(fc.constantFrom(...deliveryAspects), settlement),
    );
    fc.assert(
      fc.property(order, fc.array(file, { maxLength: 5 }), rule, (ordered, files, said) => {
        const found = compareDelivery(ordered, files);
        const gross = found.filter((each) => each.isGross);
        expect(refusedFor(found, 'refund')).toEqual(gross);
        expect(refusedFor(found, 'deliver')).toEqual(gross.filter((each) => each.in === 'files'));
        for (const { in: aspect, isGross } of refusedFor(found, said)) {
          const settled = isDoubtful(aspect) && typeof said !== 'string' ? said[aspect] : isGross;
          expect(settled).toBe(isDoubtful(aspect) ? 'refund' : true);
        }
        const all = Object.fromEntries(deliveryAspects.map((each) => [each, 'refund']));
        const small = found.filter((each) => !each.isGross && !isDoubtful(each.in));
        expect(refusedFor(found, all)).toEqual(found.filter((each) => !small.includes(each)));
      }),
    );
  });

  test('of a listed size is as ordered, and one of more pixels never differs grossly', () => {
    fc.assert(
      fc.property(
        size,
        fc.array(size, { maxLength: 2 }),
        fc.double({ min: 1, max: 3, noNaN: true }),
        (one, others, by) => {
          const sold = { ...image, sizes: [one, ...others] };
          expect(compareDelivery(sold, [one])).toEqual([]);
          const larger = { width: Math.ceil(one.width * by), height: Math.ceil(one.height * by) };
          const alone = { ...image, sizes: [one] };
          expect(compareDelivery(alone, [larger]).filter(({ isGross }) => isGross)).toEqual([]);
        },
      ),
    );
  });

  test('rotated by a quarter is compared alike', () => {
    const turn = ({ width, height }: { width: number; height: number }) => ({
      width: height,
      height: width,
    });
    fc.assert(
      fc.property(
        size,
        size,
        fc.constantFrom('order', 'picture', 'either'),
        (one, other, ratioFrom) => {
          const differ = (expected: typeof one, delivered: typeof one) =>
            words(compareDelivery({ ...image, ratioFrom, sizes: [expected] }, [delivered])).filter(
              // 3 % of a ratio differs from 3 % of its inverse.
              (each) => each !== 'ratio',
            );
          expect(differ(turn(one), turn(other))).toEqual(differ(one, other));
        },
      ),
    );
  });
});
