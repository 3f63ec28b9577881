import { expect, test } from '@jest/globals';
import { box, ints } from './hostileFiles.ts';
import { type Container, decodeFrames, encodeStripes, encodeTone, mux } from './makeMedia.ts';
import { useOutputStore } from './outputStore.ts';

const outputs = useOutputStore();
const video = { codec: 'avc', packets: await encodeStripes('avc', 1) } as const;
const audio = { codec: 'aac', packets: await encodeTone('aac', 1) } as const;
const film = (container: Container) => mux(container, { video, audio });
const frames = await decodeFrames(await film('mp4'));

/** Types of the boxes at the top of a file, in their order. */
function topOf(file: Buffer): string[] {
  const types: string[] = [];
  for (let at = 0; at + 8 <= file.length; at += file.readUInt32BE(at)) {
    types.push(file.toString('latin1', at + 4, at + 8));
  }
  return types;
}

/** Inserts bytes into the sample entry of the pictures of a file whose index comes last. */
function withBox(file: Buffer, ...inserted: Buffer[]): Buffer {
  const added = Buffer.concat(inserted);
  const entry = file.lastIndexOf('avc1') - 4;
  const end = entry + file.readUInt32BE(entry);
  for (const type of ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', 'avc1']) {
    const at = file.lastIndexOf(type, entry + 4) - 4;
    file.writeUInt32BE(file.readUInt32BE(at) + added.length, at);
  }
  return Buffer.concat([file.subarray(0, end), added, file.subarray(end)]);
}

const nclx = (...range: number[]) =>
  box('colr', Buffer.from('nclx'), Buffer.from([0, 1, 0, 1, 0, 1, ...range]));

/** A film with one thing that playback does not need, or in another container. */
const odd: [name: string, make: () => Promise<Buffer>, oddity?: RegExp][] = [
  ['its index behind the pictures', () => film('mp4, moov last')],
  ['QuickTime', () => film('mov')],
  [
    'the brand of QuickTime',
    async () => {
      const file = await film('mp4');
      file.write('qt  ', 8, 'latin1');
      return file;
    },
  ],
  ['Matroska', () => film('mkv'), /Matroska/],
  [
    'bytes after its last box',
    async () => Buffer.concat([await film('mp4'), Buffer.alloc(16, 0xa5)]),
    /16 bytes after/,
  ],
  [
    'free space before its first box',
    async () => {
      const file = await film('mp4');
      const size = file.readUInt32BE(0);
      // Eight bytes of brands make room for it, so that nothing moves.
      const ftyp = box('ftyp', file.subarray(8, size - 8));
      return Buffer.concat([box('free'), ftyp, file.subarray(size)]);
    },
  ],
  [
    'no first box',
    async () => {
      const file = await film('mp4, moov last');
      file.write('free', 4, 'latin1');
      return file;
    },
  ],
  [
    'an mdat that claims more than there is',
    async () => {
      const file = await film('mp4');
      const at = file.indexOf('mdat') - 4;
      file.writeUInt32BE(file.readUInt32BE(at) + 1000, at);
      return file;
    },
    /mdat/,
  ],
  [
    'colours without their range',
    async () => withBox(await film('mp4, moov last'), nclx()),
    /colr/,
  ],
  [
    'a short ratio of pixels and short brightness',
    async () =>
      withBox(await film('mp4, moov last'), box('pasp', ints(1)), box('clli', Buffer.alloc(1))),
    /pasp of 12 bytes.*clli/,
  ],
  [
    'a box that does not fit into its place',
    async () => {
      const file = withBox(await film('mp4, moov last'), Buffer.alloc(0));
      const moov = file.lastIndexOf('moov') - 4;
      file.writeUInt32BE(file.readUInt32BE(moov) + 12, moov);
      return Buffer.concat([file, ints(0x7fffffff), Buffer.from('udta0000')]);
    },
    /end of moov/,
  ],
  [
    'a unit that claims more bytes than its picture has',
    async () => {
      const file = await film('mp4');
      const at = file.indexOf(Buffer.from(video.packets.at(-1)?.data ?? []));
      file.writeUInt32BE(file.readUInt32BE(at) + 1000, at);
      return file;
    },
    /damaged pictures: 1/,
  ],
  [
    'a second index',
    async () => {
      const file = await film('mp4');
      return Buffer.concat([file, box('moov', box('mvhd', Buffer.alloc(100)))]);
    },
    /second moov/,
  ],
];

const withOddity = odd.map(([name, make, oddity = /^\[\]$/]) => [name, make, oddity] as const);

test.each(withOddity)('a video with %s keeps every frame', async (_, make, oddity) => {
  outputs().logged.length = 0;
  const made = await outputs().finish(await make(), 'video/mp4');
  expect(await decodeFrames(made)).toEqual(frames);
  const top = topOf(made);
  expect(top[0]).toBe('ftyp');
  expect(top.filter((type) => ['moov', 'mdat'].includes(type))).toEqual(['moov', 'mdat']);
  expect(made.includes('qt  ')).toBe(false);
  expect(JSON.stringify(outputs().logged)).toMatch(oddity);
});

test('a WebM keeps its frames and becomes an MP4', async () => {
  const vp8 = { codec: 'vp8', packets: await encodeStripes('vp8', 1) } as const;
  const made = await outputs().finish(await mux('webm', { video: vp8 }), 'video/mp4');
  expect(topOf(made).slice(0, 2)).toEqual(['ftyp', 'moov']);
  // Every packet is there, byte for byte.
  for (const { data } of vp8.packets) expect(made.includes(Buffer.from(data))).toBe(true);
});

const missing: [name: string, make: () => Promise<Buffer>, reason: RegExp][] = [
  ...(['mp4', 'mp4, moov last', 'mp4, fragmented', 'mov', 'mkv'] as const).map(
    (container): (typeof missing)[number] => [
      `a ${container} that ends early`,
      async () => (await film(container)).subarray(0, -300),
      /cut short/,
    ],
  ),
  [
    'an encrypted film',
    async () => {
      const file = await film('mp4');
      file.write('encv', file.lastIndexOf('avc1'), 'latin1');
      return file;
    },
    /^encrypted$/,
  ],
  [
    'a film in MPEG-4 part 2',
    async () => {
      const file = await film('mp4');
      file.write('mp4v', file.lastIndexOf('avc1'), 'latin1');
      return file;
    },
    /^video in MPEG-4 part 2$/,
  ],
];

test.each(missing)('%s is refused', async (_, make, reason) => {
  const failure = await outputs()
    .finish(await make(), 'video/mp4')
    .catch((error: unknown) => error);
  expect((failure as Error).message).toMatch(reason);
});
