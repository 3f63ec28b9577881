import type { DeliveryAspect } from '@framegate/contract/deliveryAspects';
import type { ResultMeasures } from '@framegate/media';
import type { DeliveryRule, ExpectedSize, PixelSize } from '@framegate/provider-routes';

/** The properties that a result must have. */
export interface ExpectedDelivery extends ExpectedSize {
  /** Number of files. */
  files: number;
  /** Length of a video in seconds; null for an image. */
  seconds: number | null;
  /** Whether a video was ordered with sound; null for an image. */
  sound: boolean | null;
}

const doubtful = ['flat', 'still', 'equal', 'rate'] as const satisfies DeliveryAspect[];

/** An aspect in which even a good result may differ, so that only the operator decides on refunds for it. */
type DoubtfulAspect = (typeof doubtful)[number];

/** An aspect in which a gross difference shows that the provider failed to deliver the order. */
export type CertainAspect = Exclude<DeliveryAspect, DoubtfulAspect>;

/** Whether an aspect may differ even in a good result. */
export const isDoubtful = (aspect: DeliveryAspect): aspect is DoubtfulAspect =>
  doubtful.some((each) => each === aspect);

/** A difference between an order and its delivery; both values are human-readable. */
export interface Difference {
  in: DeliveryAspect;
  ordered: string;
  delivered: string;
  /** Whether the file does not match the order. */
  isGross?: boolean;
}

/** Tolerated difference in area and in ratio, as parts of the expected value. */
const maxAreaDifference = 0.15;
const maxRatioDifference = 0.03;
/** Tolerated difference in length, in seconds. */
const maxSecondsDifference = 0.5;
/** Sides within this ratio make a picture square; others make it portrait or landscape. */
const maxSquareRatio = 1.15;
/** Factor from which a ratio of another shape is a gross difference. */
const minGrossRatio = 1.2;
/** Below this number of frames per second, a file is not a video. */
const minFramesPerSecond = 5;
/** A delivery with less than this share of the pixels or seconds differs grossly. */
const minDeliveredShare = 0.5;

/**
 * Compares a delivery with its order. Of several files, the worst one counts.
 * @returns At most one difference of each kind; none if it is as ordered.
 */
export function compareDelivery(
  order: ExpectedDelivery,
  files: readonly ResultMeasures[],
): Difference[] {
  const differences = files.flatMap((file) => [
    ...sizeDifferences(order, file),
    ...lengthDifference(order, file),
    ...soundDifference(order, file),
    ...lookDifferences(order, file),
  ]);
  const worst = [...differences.filter(({ isGross }) => isGross), ...differences];
  const ofEachKind = worst.filter(
    (each, index) => worst.findIndex((other) => other.in === each.in) === index,
  );
  return [...filesDifference(order, files.length), ...ofEachKind, ...equalDifference(files)];
}

/** The differences for which a result is refused. Fewer files or another type can never be delivered. */
export function refusedFor(differences: readonly Difference[], rule: DeliveryRule): Difference[] {
  return differences.filter(({ in: aspect, isGross = false }) => {
    if (aspect === 'files' || aspect === 'type') return isGross;
    const action = typeof rule === 'string' ? rule : rule[aspect];
    if (isGross) return action !== 'deliver';
    return isDoubtful(aspect) && typeof rule !== 'string' && action === 'refund';
  });
}

/** The difference of a file whose media type is not the ordered one. */
export function typeDifference(ordered: string, delivered: string): Difference {
  return { in: 'type', ordered, delivered, isGross: true };
}

const grossIf = (is: boolean): { isGross?: boolean } => (is ? { isGross: true } : {});

function filesDifference({ files }: ExpectedDelivery, delivered: number): Difference[] {
  if (delivered === files) return [];
  const [ordered, came] = [String(files), String(delivered)];
  return [{ in: 'files', ordered, delivered: came, ...grossIf(delivered < files) }];
}

function lengthDifference(
  { seconds: ordered }: ExpectedDelivery,
  { seconds }: ResultMeasures,
): Difference[] {
  if (ordered === null || seconds === undefined) return [];
  if (Math.abs(seconds - ordered) <= maxSecondsDifference) return [];
  const gross = grossIf(seconds < minDeliveredShare * ordered);
  return [{ in: 'length', ordered: `${ordered} s`, delivered: `${seconds} s`, ...gross }];
}

/** A silent track counts as no sound, as does one that ends before half of the video. */
function soundDifference(
  { sound: ordered }: ExpectedDelivery,
  { sound, isSilent = false, soundSeconds, seconds }: ResultMeasures,
): Difference[] {
  if (ordered === null || sound === undefined) return [];
  const isHeard = sound && !isSilent;
  const isShort =
    soundSeconds !== undefined &&
    seconds !== undefined &&
    soundSeconds < minDeliveredShare * seconds;
  if (isHeard === ordered && !(isHeard && isShort)) return [];
  const soundText = isShort ? `sound of ${soundSeconds} s` : 'sound';
  const delivered = isHeard ? soundText : sound ? 'a silent track' : 'no sound';
  return [{ in: 'sound', ordered: ordered ? 'sound' : 'no sound', delivered, ...grossIf(ordered) }];
}

function lookDifferences(
  { seconds }: ExpectedDelivery,
  { look, framesPerSecond: rate }: ResultMeasures,
): Difference[] {
  const ordered = seconds === null ? 'a picture' : 'a film';
  return [
    ...(look === 'flat' ? [{ in: look, ordered, delivered: 'one flat colour' }] : []),
    ...(look === 'still' ? [{ in: look, ordered, delivered: 'a video that never moves' }] : []),
    ...(rate !== undefined && rate < minFramesPerSecond
      ? [
          {
            in: 'rate' as const,
            ordered: `at least ${minFramesPerSecond} frames a second`,
            delivered: `${rate} frames a second`,
          },
        ]
      : []),
  ];
}

/** Pictures of one order that are identical, pixel for pixel. */
function equalDifference(files: readonly ResultMeasures[]): Difference[] {
  const hashes = files.flatMap(({ pixels }) => pixels ?? []);
  const different = new Set(hashes).size;
  if (different === hashes.length) return [];
  const ordered = `${hashes.length} different pictures`;
  return [{ in: 'equal', ordered, delivered: `${different} different` }];
}

function sizeDifferences(order: ExpectedDelivery, { width, height }: ResultMeasures): Difference[] {
  if (width === undefined || height === undefined) return [];
  const size = { width, height };
  const [expected] = order.sizes.toSorted((a, b) => distance(size, a) - distance(size, b));
  if (!expected) return [];
  const texts = { ordered: formatSize(expected), delivered: formatSize(size) };
  const areas =
    order.ratioFrom === 'order'
      ? [area(expected)]
      : order.sizes.flatMap((each) => areasAtRatio(each, ratio(size)));
  const min = Math.min(...areas);
  const isOff =
    area(size) < (1 - maxAreaDifference) * min ||
    area(size) > (1 + maxAreaDifference) * Math.max(...areas);
  const gross = grossIf(area(size) < minDeliveredShare * min);
  const hasOtherRatio =
    order.ratioFrom !== 'picture' &&
    Math.abs(ratio(size) / ratio(expected) - 1) > maxRatioDifference;
  return [
    ...(isOff ? [{ in: 'size' as const, ...texts, ...gross }] : []),
    ...(hasOtherRatio
      ? [
          {
            in: 'ratio' as const,
            ...texts,
            ...grossIf(order.ratioFrom === 'order' && isOtherShape(ratio(size), ratio(expected))),
          },
        ]
      : []),
  ];
}

/** Whether a picture is portrait instead of landscape, or either of them instead of square. */
function isOtherShape(ratio: number, expected: number): boolean {
  const shape = (value: number) =>
    value > maxSquareRatio ? 1 : value < 1 / maxSquareRatio ? -1 : 0;
  const change = Math.max(ratio / expected, expected / ratio);
  return shape(ratio) !== shape(expected) && change >= minGrossRatio;
}

/**
 * The areas of a resolution at another ratio, taken from the input picture: providers keep its short side, its area or
 * its long side.
 */
function areasAtRatio(size: PixelSize, atRatio: number): number[] {
  const long = Math.max(size.width, size.height);
  const short = Math.min(size.width, size.height);
  const longPerShort = Math.max(atRatio, 1 / atRatio);
  return [short ** 2 * longPerShort, area(size), long ** 2 / longPerShort];
}

/** The distance between two sizes, in area and ratio together. */
function distance(a: PixelSize, b: PixelSize): number {
  return Math.abs(Math.log(area(a) / area(b))) + Math.abs(Math.log(ratio(a) / ratio(b)));
}

const area = ({ width, height }: PixelSize) => width * height;
const ratio = ({ width, height }: PixelSize) => width / height;
const formatSize = ({ width, height }: PixelSize) => `${width}x${height}`;

/** Differences as one sentence for staff. */
export function describeDifferences(differences: readonly Difference[]): string {
  return differences
    .map(({ in: aspect, ordered, delivered }) => `${aspect}: ${delivered} instead of ${ordered}`)
    .join('; ');
}
