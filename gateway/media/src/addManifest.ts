import { closeSync, fstatSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { initSync, WasmBuilder } from '@contentauth/c2pa-wasm';
import { digitalSourceType } from './aiMark.ts';
import type { ManifestRequest, ManifestResult } from './mediaTask.ts';

/**
 * Asks the parent, which has the key, to sign a claim.
 * @throws Error if it does not.
 */
export type SignClaim = (claim: Uint8Array) => Promise<Uint8Array>;

/** Maximum bytes of a file with a manifest: the library holds the finished file in memory several times. */
const maxBytes = 200_000_000;
/** Size of a file in bytes above which the memory used for it, which WebAssembly never returns, ends the child. */
const spentBytes = 32_000_000;

/**
 * A part of a file in the form required by the library: as in browsers, it takes a Blob, slices it, and has the slices
 * read by a FileReaderSync.
 */
class FilePart {
  readonly file: number;
  readonly from: number;
  readonly size: number;
  constructor(file: number, from: number, to: number) {
    this.file = file;
    this.from = from;
    this.size = Math.max(0, to - from);
  }
  slice(start = 0, end = this.size): FilePart {
    const upTo = (offset: number) => this.from + Math.min(offset, this.size);
    return new FilePart(this.file, upTo(start), upTo(end));
  }
}

class PartReader {
  readAsArrayBuffer({ file, from, size }: FilePart): ArrayBuffer {
    const bytes = new Uint8Array(size);
    for (let filled = 0; filled < size;) {
      const count = readSync(file, bytes, filled, size - filled, from + filled);
      if (count === 0) throw new Error('the file ended early');
      filled += count;
    }
    return bytes.buffer;
  }
}

/** Who made the file, and how. It identifies neither the provider nor the customer nor the prompt. */
const definitionOf = (generator: string) =>
  JSON.stringify({
    claim_generator_info: [{ name: generator }],
    assertions: [
      {
        label: 'c2pa.actions.v2',
        data: { actions: [{ action: 'c2pa.created', digitalSourceType }] },
      },
    ],
  });
/** The library verifies nothing, draws nothing and sends no requests. */
const context = JSON.stringify({
  verify: { verify_after_sign: false },
  builder: { thumbnail: { enabled: false } },
});

/**
 * Adds a signed manifest (C2PA) to a cleaned file, in the child process. A failure never loses the file: it is
 * reported, and the file stays as it was.
 */
export async function addManifest(
  path: string,
  mediaType: string,
  { generator, algorithm, signatureBytes }: ManifestRequest,
  sign: SignClaim,
): Promise<ManifestResult> {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size > maxBytes) return { unsigned: `it has more than ${maxBytes} bytes` };
    const source = new FilePart(file, 0, size) as unknown as Blob;
    const signer = { alg: algorithm, reserveSize: signatureBytes, sign: sign as never };
    loadLibrary();
    const builder = WasmBuilder.fromJson(definitionOf(generator), context);
    writeFileSync(path, await builder.sign(signer, [], mediaType, source));
    builder.free();
    return size > spentBytes ? { isSpent: true } : {};
  } catch (error) {
    // After a failure, WebAssembly may be in a bad state.
    return { unsigned: String(error).slice(0, 200), isSpent: true };
  } finally {
    closeSync(file);
  }
}

let isLoaded = false;

function loadLibrary(): void {
  if (isLoaded) return;
  Object.assign(globalThis, { FileReaderSync: PartReader });
  const code = fileURLToPath(import.meta.resolve('@contentauth/c2pa-wasm/c2pa.wasm'));
  initSync({ module: readFileSync(code) });
  isLoaded = true;
}
