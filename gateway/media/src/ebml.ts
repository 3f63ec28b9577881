import type { ReadAt } from './fileWindow.ts';

/** An element of EBML (RFC 8794) with its offsets in the file; one of unknown size has no end. */
export interface Element {
  id: number;
  start: number;
  body: number;
  end: number;
}

/**
 * Visits the elements of a Matroska or WebM file in their order, up to the first whose head cannot be read.
 * @param isOpened Whether an element's children follow it as if they were its neighbours.
 */
export function* elementsOf(
  bytesAt: ReadAt,
  isOpened: (element: Element) => boolean,
): Generator<Element> {
  for (let start = 0; ;) {
    const id = readVint(bytesAt, start, true);
    const size = id && readVint(bytesAt, start + id.bytes, false);
    if (!id || !size) return;
    const body = start + id.bytes + size.bytes;
    const isUnknown = size.value === 2 ** (7 * size.bytes) - 1;
    const element = { id: id.value, start, body, end: isUnknown ? Infinity : body + size.value };
    yield element;
    start = isOpened(element) ? body : element.end;
  }
}

/** A number of EBML: its leading zeros give its length; an id keeps the marker bit. */
function readVint(
  bytesAt: ReadAt,
  offset: number,
  keepsMark: boolean,
): { value: number; bytes: number } | null {
  const first = bytesAt(offset, 1)?.[0] ?? 0;
  if (first === 0) return null;
  const bytes = Math.clz32(first) - 23;
  const all = bytesAt(offset, bytes);
  if (!all) return null;
  let value = keepsMark ? first : first & (0xff >> bytes);
  for (let next = 1; next < bytes; next += 1) value = value * 256 + (all[next] ?? 0);
  return { value, bytes };
}

/** The id of the element with all contents of a file. */
export const segment = 0x18538067;
/** The id of an element with frames. */
export const cluster = 0x1f43b675;

/** Elements whose children matter: the segment, its information, tracks, clusters, index and list of places. */
const masters = [
  ...[segment, cluster, 0x1549a966, 0x1654ae6b, 0xae, 0x1c53bb6b, 0xbb, 0x114d9b74, 0x4dbb],
];
/** Whether the children of an element matter. */
export const isMaster = ({ id }: Pick<Element, 'id'>): boolean => masters.includes(id);
