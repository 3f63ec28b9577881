import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { ActionAssertion, type Manifest } from '@trustnxt/c2pa-ts/manifest';
import sharp from 'sharp';
import { createTlsAuthority, type Identity } from '../../../test/media/tlsAuthority.ts';
import { addManifest } from '../src/addManifest.ts';
import { digitalSourceType } from '../src/aiMark.ts';
import { createManifestSigner, type ManifestSigner } from '../src/manifestSigner.ts';
import { decodeFrames, encodeStripes, mux } from './makeMedia.ts';
import { pictureWithMetadata, useOutputStore } from './outputStore.ts';
import { verifyManifest } from './verifyManifest.ts';

const authority = createTlsAuthority();
const identity = authority.issueForContent('Example Media');
let problem: string | null = null;
const signerOf = (
  { cert, key }: Identity,
  algorithm: ManifestSigner['algorithm'] = 'es256',
  issuers: string[] = [],
) =>
  createManifestSigner(
    {
      chain: [cert, ...issuers].map((each) => new X509Certificate(each).raw),
      key: createPrivateKey(key),
      algorithm,
      generator: 'Aurora Studio',
    },
    () => problem,
  );

const warnings: object[] = [];
const signer = signerOf(identity);
const log = { warn: (fields: object) => warnings.push(fields) };
const outputs = useOutputStore({ signer, log });
const finish = (bytes: Uint8Array, format: string) => outputs().finish(bytes, format);
beforeEach(() => {
  problem = null;
  warnings.length = 0;
});

const avc = { codec: 'avc', packets: await encodeStripes('avc', 1) } as const;
const sources: [name: string, mediaType: string, make: () => Promise<Uint8Array>][] = [
  ['a PNG', 'image/png', () => pictureWithMetadata('png')],
  ['a JPEG', 'image/jpeg', () => pictureWithMetadata('jpeg')],
  ['a WebP', 'image/webp', () => pictureWithMetadata('webp')],
  ['an MP4', 'video/mp4', () => mux('mp4', { video: avc })],
  ['an MP4 with moov last', 'video/mp4', () => mux('mp4, moov last', { video: avc })],
  ['an MP4 of fragments', 'video/mp4', () => mux('mp4, fragmented', { video: avc })],
];

describe.each(sources)('%s', (_, mediaType, make) => {
  test('has a manifest that another verifier accepts, and its mark', async () => {
    const made = await finish(await make(), mediaType);
    const { manifest, failures } = await verifyManifest(made, mediaType);
    expect(failures).toEqual([]);
    expect(signedBy(manifest)).toContain('CN=Example Media');
    expect(manifest.claim?.claimGeneratorName).toBe('Aurora Studio');
    expect(actionsOf(manifest)).toEqual([['c2pa.created', digitalSourceType]]);
    expect(made.includes('ecretvendor')).toBe(false);
    const isVideo = mediaType === 'video/mp4';
    const text = isVideo ? made.toString('utf8') : (await sharp(made).metadata()).xmpAsString;
    expect(text).toContain(`<Iptc4xmpExt:DigitalSourceType>${digitalSourceType}<`);
    if (isVideo) expect(await decodeFrames(made)).toHaveLength(24);
    expect(warnings).toEqual([]);
  });

  test('no longer fits its manifest once one of its bytes has changed', async () => {
    const made = await finish(await make(), mediaType);
    const inText = made.indexOf('AI-generated');
    const at = inText === -1 ? made.length - 30 : inText;
    made.writeUInt8(made.readUInt8(at) ^ 1, at);
    const { failures } = await verifyManifest(made, mediaType);
    expect(failures).toEqual([expect.stringMatching(/Hash\.mismatch$/)]);
  });
});

const actionsOf = (manifest: Manifest) =>
  manifest.assertions?.assertions.flatMap((each) =>
    each instanceof ActionAssertion
      ? each.actions.map(({ action, digitalSourceType: source }) => [action, source])
      : [],
  );
const signedBy = ({ signature }: Manifest) => signature?.signatureData.certificate?.subject ?? '';

test.each([
  ['es384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' })],
  ['ed25519', () => generateKeyPairSync('ed25519')],
  ['ps256', () => generateKeyPairSync('rsa', { modulusLength: 2048 })],
] as const)('a key for %s signs as well', async (algorithm, makeKeys) => {
  const keys = makeKeys();
  const own = signerOf(authority.issueForContent('Example', { keys }), algorithm, [authority.cert]);
  const folder = await mkdtemp(join(tmpdir(), 'framegate-manifest-'));
  try {
    const path = join(folder, 'file');
    await writeFile(path, await pictureWithMetadata('png'));
    expect(await addManifest(path, 'image/png', own, async (claim) => own.sign(claim))).toEqual({});
    const { failures } = await verifyManifest(await readFile(path), 'image/png');
    expect(failures).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('a result whose manifest cannot be signed is stored without it, and reported', async () => {
  problem = 'the certificate of CN=Example Media expired on 2026-01-01T00:00:00.000Z';
  const made = await finish(await pictureWithMetadata('png'), 'image/png');
  await expect(verifyManifest(made, 'image/png')).rejects.toThrow('it has no manifest');
  expect(warnings).toEqual([
    {
      alert: 'manifest_missing',
      key: 'outputs/gen_a/0.bin',
      reason: expect.stringContaining('expired on 2026-01-01'),
    },
  ]);
  problem = null;
  const next = await finish(await pictureWithMetadata('png'), 'image/png');
  expect((await verifyManifest(next, 'image/png')).failures).toEqual([]);
});

describe('a file stays unchanged', () => {
  const sign = async (claim: Uint8Array) => signer.sign(claim);
  const withFile = async (work: (path: string) => Promise<void>) => {
    const folder = await mkdtemp(join(tmpdir(), 'framegate-manifest-'));
    try {
      await work(join(folder, 'file'));
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  test('if it is too large', () =>
    withFile(async (path) => {
      await writeFile(path, '');
      await truncate(path, 200_000_001);
      const result = await addManifest(path, 'video/mp4', signer, sign);
      expect(result).toEqual({ unsigned: 'it has more than 200000000 bytes' });
    }));

  test('if the library cannot read it', () =>
    withFile(async (path) => {
      await writeFile(path, 'no picture');
      const result = await addManifest(path, 'image/png', signer, sign);
      expect(result).toMatchObject({ unsigned: expect.any(String), isSpent: true });
      expect(await readFile(path, 'utf8')).toBe('no picture');
    }));
});
