/** A box of an ISO media file. */
export function box(type: string, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/** Unsigned numbers of 32 bits. */
export function ints(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [place, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, place * 4);
  return bytes;
}

/** The start of an MP4. */
export const ftyp = box('ftyp', Buffer.from('isom\0\0\0\0isommp42'));

/** An MP4 with one video track of these sample descriptions, each of a codec that no library knows. */
export function mp4OfUnknownCodecs(count: number): Buffer {
  const entries = Array.from({ length: count }, () => box('zzz1', Buffer.alloc(78)));
  const table = box(
    'stbl',
    box('stsd', ints(0, count), ...entries),
    box('stts', ints(0, 1, 1, 100)),
    box('stsc', ints(0, 1, 1, 1, 1)),
    box('stsz', ints(0, 64, 1)),
    box('stco', ints(0, 1, 48)),
  );
  const handler = box('hdlr', ints(0, 0), Buffer.from('vide'), Buffer.alloc(13));
  const media = box('mdia', box('mdhd', ints(0, 0, 0, 1000, 1000, 0)), handler, box('minf', table));
  const track = box('trak', box('tkhd', ints(3, 0, 0, 1, 0, 1000), Buffer.alloc(60)), media);
  const movie = box('moov', box('mvhd', ints(0, 0, 0, 1000, 1000), Buffer.alloc(80)), track);
  return Buffer.concat([ftyp, movie, box('mdat', Buffer.alloc(64))]);
}

/** A WebM of this many clusters, each with one block of five bytes. */
export function webmOfClusters(count: number): Buffer {
  const hex = (digits: string) => Buffer.from(digits, 'hex');
  const element = (id: string, ...parts: Uint8Array[]) => {
    const body = Buffer.concat(parts);
    return Buffer.concat([hex(id), ints(0x01000000, body.length), body]);
  };
  const head = element(
    '1a45dfa3',
    element('4282', Buffer.from('webm')),
    element('4287', hex('02')),
  );
  const size = element('e0', element('b0', hex('00a0')), element('ba', hex('005a')));
  const track = element(
    'ae',
    ...[element('d7', hex('01')), element('73c5', hex('01')), element('83', hex('01'))],
    ...[element('86', Buffer.from('V_VP8')), size],
  );
  const clusters = Array.from({ length: count }, (_, place) =>
    Buffer.concat([hex('1f43b6758de784'), ints(place % 10_000), hex('a3858100008000')]),
  );
  const info = element('1549a966', element('2ad7b1', hex('0f4240')));
  const tracks = element('1654ae6b', track);
  return Buffer.concat([head, element('18538067', info, tracks, Buffer.concat(clusters))]);
}

/**
 * A sound file of 15 MB whose frames hold no sound: within the limits, but reading it would take many times the
 * processor time allowed for one file.
 */
export function slowSound(): Buffer {
  const frame = Buffer.from('fff15080011ffc00', 'hex');
  return Buffer.alloc(14_800_000, frame);
}
