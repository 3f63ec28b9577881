import { box, ints } from './hostileFiles.ts';
import { encodeStripes, encodeTone, mux } from './makeMedia.ts';

/** A maker, a model and a serial number. */
export const secret = 'Secretvendor';

/** Traces of the person, the place, the device or us that are left in a file. */
export const traces = (file: Buffer): string[] =>
  [secret, 'xyz', '52.5000', 'ISO6709', 'AlgorithmicMedia', 'ID3'].filter((word) =>
    file.includes(word),
  );

const filmOfPhone = async (brand: 'isom' | 'qt  ') =>
  phoneFile(brand, { video: { codec: 'avc', packets: await encodeStripes('avc', 1) } });

/** An MP4 or MOV of a phone: place, maker, model and a date, and a track with the places of its way. */
async function phoneFile(brand: 'isom' | 'qt  ', tracks: Parameters<typeof mux>[1]) {
  const made = await mux('mp4, moov last', tracks, { title: secret });
  const at = made.lastIndexOf('moov') - 4;
  const place = box('\xa9xyz', Buffer.from([0, 24, 0x15, 0xc7]), Buffer.from('+52.5000+013.4000/'));
  const key = box('mdta', Buffer.from('com.apple.quicktime.location.ISO6709'));
  const value = box('data', ints(1, 0), Buffer.from('+52.5000+013.4000/'));
  const meta = box(
    'meta',
    box('hdlr', ints(0, 0), Buffer.from('mdta'), Buffer.alloc(13)),
    box('keys', ints(0, 1), key),
    box('ilst', box('\0\0\0\x01', value)),
  );
  const moov = box('moov', made.subarray(at + 8), box('udta', place), meta);
  const file = Buffer.concat([made.subarray(0, at), moov]);
  file.write(brand, 8, 'latin1');
  return file;
}

const id3 = (text: string) =>
  Buffer.concat([
    Buffer.from('ID3\x03\0\0\0\0\0', 'latin1'),
    Buffer.from([text.length]),
    Buffer.from(text),
  ]);

/** Files of phones, cameras and programs, with their traces. */
export const phoneFilms: [name: string, type: 'video' | 'audio', make: () => Promise<Buffer>][] = [
  ['an MP4', 'video', () => filmOfPhone('isom')],
  ['a MOV', 'video', () => filmOfPhone('qt  ')],
  [
    'a WebM',
    'video',
    async () => {
      const video = { codec: 'vp8', packets: await encodeStripes('vp8', 1) } as const;
      return mux('webm', { video }, { title: secret, comment: secret, artist: secret });
    },
  ],
  [
    'sound in an MP4',
    'audio',
    async () => phoneFile('isom', { audio: { codec: 'aac', packets: await encodeTone('aac', 1) } }),
  ],
  [
    'an MP3',
    'audio',
    async () => {
      const audio = { codec: 'mp3', packets: await encodeTone('mp3', 1) } as const;
      const ape = Buffer.alloc(32);
      ape.write('APETAGEX', 'latin1');
      ape.writeUInt32LE(32 + secret.length, 12);
      const end = [Buffer.from(secret), ape, Buffer.from(`TAG${secret}`.padEnd(128, '\0'))];
      return Buffer.concat([id3(secret), await mux('mp3', { audio }), ...end]);
    },
  ],
  [
    'an AAC',
    'audio',
    async () =>
      Buffer.concat([
        id3(secret),
        await mux('aac', { audio: { codec: 'aac', packets: await encodeTone('aac', 1) } }),
      ]),
  ],
  [
    'a WAV',
    'audio',
    async () => {
      const audio = { codec: 'pcm-s16', packets: await encodeTone('pcm-s16', 1) } as const;
      const made = await mux('wav', { audio }, { title: secret });
      const chunk = Buffer.concat([
        Buffer.from('bext'),
        Buffer.from([12, 0, 0, 0]),
        Buffer.from(secret),
      ]);
      const file = Buffer.concat([made, chunk]);
      file.writeUInt32LE(file.length - 8, 4);
      return file;
    },
  ],
];
