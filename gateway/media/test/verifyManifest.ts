import { createHash } from 'node:crypto';
import { type Asset, BMFF, JPEG, PNG } from '@trustnxt/c2pa-ts/asset';
import { SuperBox } from '@trustnxt/c2pa-ts/jumbf';
import { BMFFHashAssertion, type Manifest, ManifestStore } from '@trustnxt/c2pa-ts/manifest';

/** The manifest of a file, read by a verifier that shares no code with the signing library. */
export async function verifyManifest(
  file: Buffer,
  mediaType: string,
): Promise<{ manifest: Manifest; failures: string[] }> {
  const asset = openAsset(file, mediaType);
  const bytes = asset.getManifestJUMBF();
  if (!bytes) throw new Error('it has no manifest');
  const store = ManifestStore.read(SuperBox.fromBuffer(new Uint8Array(bytes)));
  const manifest = store.getActiveManifest();
  if (!manifest) throw new Error('it has no active manifest');
  const { statusEntries } = await store.validate(asset);
  const failures = statusEntries.filter(({ success }) => !success).map(({ code }): string => code);
  if (!(asset instanceof BMFF)) return { manifest, failures };
  // The verifier reads the hash of MP4 files, but computes only that of pictures.
  const others = failures.filter((code) => code !== 'assertion.bmffHash.mismatch');
  if (!isHashOf(manifest, asset, file)) others.push('assertion.bmffHash.mismatch');
  return { manifest, failures: others };
}

function openAsset(file: Buffer, mediaType: string): Asset {
  if (mediaType === 'image/png') return new PNG(file);
  if (mediaType === 'image/jpeg') return new JPEG(file);
  if (mediaType === 'image/webp') return openWebp(file);
  const { canReadBrands } = BMFF as unknown as { canReadBrands: Set<string> };
  for (const brand of ['isom', 'iso5']) canReadBrands.add(brand);
  return new BMFF(file);
}

/** A WebP, which the verifier cannot read: its manifest is the chunk `C2PA`. */
function openWebp(file: Buffer): Asset {
  let [start, length] = [0, 0];
  for (let at = 12; at + 8 <= file.length;) {
    const bytes = file.readUInt32LE(at + 4);
    if (file.toString('latin1', at, at + 4) === 'C2PA') [start, length] = [at, 8 + bytes];
    at += 8 + bytes + (bytes % 2);
  }
  const refuse = () => Promise.reject(new Error('it is only read'));
  return {
    mimeType: 'image/webp',
    getDataLength: () => file.length,
    getDataRange: async (from = 0, count = file.length - from) => file.subarray(from, from + count),
    getManifestJUMBF: () => (length > 0 ? file.subarray(start + 8, start + length) : undefined),
    getHashExclusionRange: () => ({ start, length }),
    dumpInfo: () => 'WebP',
    ensureManifestSpace: refuse,
    writeManifestJUMBF: refuse,
  };
}

/** Whether the hash of an MP4 matches: over the offset and the bytes of every top-level box that is not excluded. */
function isHashOf(manifest: Manifest, asset: BMFF, file: Buffer): boolean {
  const found = manifest.assertions?.assertions.find((each) => each instanceof BMFFHashAssertion);
  if (!found) return false;
  const hash = createHash('sha256');
  for (const { type, offset, size } of asset.getTopLevelBoxes()) {
    const isExcluded = found.exclusions.some(({ xpath, data }) => {
      const holds = data?.every(({ offset: at, value }) =>
        file.subarray(offset + at, offset + at + value.length).equals(value),
      );
      return xpath === `/${type}` && holds !== false;
    });
    if (isExcluded) continue;
    const place = Buffer.alloc(8);
    place.writeBigUInt64BE(BigInt(offset));
    hash.update(place).update(file.subarray(offset, offset + size));
  }
  return hash.digest().equals(found.hash ?? new Uint8Array());
}
