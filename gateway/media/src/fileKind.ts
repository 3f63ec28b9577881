import {
  acceptedKindOf,
  type FileKind,
  fileKindOf,
  kindHeadBytes,
  kindOfCodec,
} from '@framegate/contract/fileKinds';
import { type MediaFormat, mediaFormats } from '@framegate/contract/mediaFormats';
import { type ReadAt, readInBlocks } from './fileWindow.ts';
import { scanBoxes } from './sniffMedia.ts';

/**
 * The kind of an invalid file, if its kind or codec is the reason why it cannot be an input of this type. Null if
 * something else is wrong with it, or if its kind is unknown.
 * @param sniffed Its format, detected by more than its first bytes.
 */
export function wrongKindOf(
  path: string,
  expectedType: 'image' | 'video' | 'audio',
  sniffed: MediaFormat | null,
): FileKind | null {
  return readInBlocks(path, (bytesAt) => {
    const is = fileKindOf(headOf(bytesAt)) ?? acceptedKindOf(sniffed);
    const format: MediaFormat | undefined = (mediaFormats as Partial<Record<string, MediaFormat>>)[
      is ?? ''
    ];
    if (!format?.type.includes(expectedType)) return is;
    if (is === 'wav') return kindOfWav(bytesAt);
    if (format.mediaType.startsWith('image/') || is === 'webm') return null;
    const boxes = boxesOf(bytesAt);
    const codec = boxes.map(kindOfCodec).find((kind) => kind !== null);
    if (codec) return codec;
    // The video media header.
    return expectedType === 'audio' && boxes.includes('vmhd') ? is : null;
  });
}

function headOf(bytesAt: ReadAt): string {
  for (let bytes = kindHeadBytes; bytes > 0; bytes -= 1) {
    const head = bytesAt(0, bytes);
    if (head) return head.toString('latin1', 0, bytes);
  }
  return '';
}

/** The format tag of a WAV, which names its codec. */
function kindOfWav(bytesAt: ReadAt): FileKind | null {
  for (let offset = 12; offset < 65_536;) {
    const chunk = bytesAt(offset, 10);
    if (!chunk) return null;
    if (chunk.toString('latin1', 0, 4) === 'fmt ') return kindOfCodec(chunk.readUInt16LE(8));
    offset += 8 + chunk.readUInt32LE(4);
  }
  return null;
}

/** Maximum boxes examined. */
const maxBoxes = 2_000;

function boxesOf(bytesAt: ReadAt): string[] {
  const types: string[] = [];
  scanBoxes(
    (offset, want) => (types.length < maxBoxes ? bytesAt(offset, want) : null),
    () => undefined,
    (type) => types.push(type),
  );
  return types;
}
