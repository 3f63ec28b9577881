import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { namesWrongFile } from './failureCodes.ts';
import {
  acceptedFiles,
  describeWrongFile,
  type FileKind,
  fileKindOf,
  fileKinds,
} from './fileKinds.ts';
import { mediaFormatOf, mediaFormats } from './mediaFormats.ts';

test.each<[string, FileKind | null]>([
  ['', 'empty'],
  ['\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'heic'],
  ['\0\0\0\x18ftypmif1\0\0\0\0mif1heic', 'heic'],
  ['\0\0\0\x18ftypmif1\0\0\0\0mif1avif', 'avif'],
  ['\0\0\0\x18ftypavif\0\0\0\0mif1miaf', 'avif'],
  ['\0\0\0\x18ftypisom\0\0\0\0isomavc1', 'mp4'],
  ['GIF89a\x01\0', 'gif'],
  ['MM\0*\0\0\0\x08', 'tiff'],
  ['BM\x36\0\0\0', 'bmp'],
  ['RIFF\0\0\0\0AVI LIST', 'avi'],
  ['RIFF\0\0\0\0WAVEfmt ', 'wav'],
  ['\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x88matroska', 'mkv'],
  ['\x1aE\xdf\xa3\x9fB\x86\x81\x01B\x82\x84webm', 'webm'],
  ['\x30\x26\xb2\x75\x8e\x66\xcf\x11\xa6\xd9', 'wmv'],
  ['fLaC\0\0\0\x22', 'flac'],
  ['OggS\0\x02', 'ogg'],
  ['PK\x03\x04\x14\0', 'zip'],
  ['%PDF-1.7\n', 'pdf'],
  ['G'.padEnd(188, '\xff').repeat(3), 'mpeg'],
  ['\xef\xbb\xbf\n <!DOCTYPE html><title>Sign in', 'html'],
  ['<!-- a -->\n<html>', 'html'],
  ['<?xml version="1.0"?><svg width="1">', 'svg'],
  ['<?xml version="1.0"?><Error/>', 'xml'],
  ['{"error": 1}', 'json'],
  ['Not ready yet', 'text'],
  ['\x01\x02\x03\x04', null],
])('%j is %s', (head, kind) => {
  expect(fileKindOf(head)).toBe(kind);
});

test('a file of an accepted format is recognised, whatever follows; any other is not', () => {
  const start = fc.constantFrom(
    '\xff\xd8\xff',
    'RIFF1234WEBP',
    '\0\0\0\x20ftypqt  ',
    'ID3\x04',
    '<',
    '{',
  );
  fc.assert(
    fc.property(start, fc.string({ unit: 'binary-ascii', maxLength: 60 }), (first, rest) => {
      const format = mediaFormatOf(first + rest);
      const [accepted] = Object.entries(mediaFormats).find(([, each]) => each === format) ?? [];
      const kind = fileKindOf(first + rest);
      if (accepted === undefined) expect(mediaFormats).not.toHaveProperty(String(kind));
      else expect(kind).toBe(accepted);
    }),
  );
});

describe('the sentence', () => {
  test('is recognised by the integrations, for every kind and type', () => {
    for (const actualKind of Object.keys(fileKinds) as FileKind[]) {
      for (const expected of ['image', 'video', 'audio'] as const) {
        const sentence = describeWrongFile({ actualKind, expected });
        expect([sentence, namesWrongFile(sentence)]).toEqual([sentence, true]);
      }
    }
    expect(namesWrongFile('The generation failed.')).toBe(false);
  });

  test('names codecs where the container is accepted', () => {
    const sentence = describeWrongFile({ actualKind: 'h263', expected: 'video' });
    expect(sentence).toBe(`This is an H.263 video: send ${acceptedFiles.video.codecs}.`);
  });
});
