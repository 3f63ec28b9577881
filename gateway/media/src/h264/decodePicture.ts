import { readFile } from 'node:fs/promises';

/** A decoded picture: 8 bits, 4:2:0, with the rows of each plane `strides` apart. */
export interface DecodedFrame {
  width: number;
  height: number;
  /** Luma, then both chroma planes. */
  planes: [Uint8Array, Uint8Array, Uint8Array];
  /** Bytes between rows of luma and of chroma. */
  strides: [number, number];
}

/** The used part of the engine's WebAssembly API, whose types none of this project's libraries include. */
declare const WebAssembly: {
  Memory: new (pages: { initial: number; maximum: number }) => { buffer: ArrayBuffer };
  instantiate(code: Uint8Array, imports: object): Promise<{ instance: { exports: unknown } }>;
};

/** Memory of a decoder, in pages of 64 KiB: at most 256 MB, more than a 2160p picture needs. */
const memoryPages = { initial: 64, maximum: 4096 };

/** Exports of decoder.wasm, which scripts/h264/build.sh builds from OpenH264. */
interface Decoder {
  _initialize(): void;
  allocate(bytes: number): number;
  decode(unit: number, bytes: number): number;
  lastPicture(): number;
}

/**
 * Decodes pictures of H.264 and returns the last one: baseline, main and high profile, progressive. Only for
 * short-lived processes: its memory is not released.
 * @param units Access units (Annex B) in decoding order, starting with a key frame and its parameter sets.
 * @throws Error if one of them cannot be decoded; WebAssembly's own on a trap.
 */
export async function decodePicture(units: AsyncIterable<Uint8Array>): Promise<DecodedFrame> {
  const decoder = await openDecoder();
  for await (const unit of units) decoder.decode(unit);
  return decoder.lastPicture();
}

/**
 * Decodes pictures of H.264 and yields them as the decoder emits them: some twice, and some of the last few not at all,
 * but always the last one. Each is valid until the next.
 * @throws Like `decodePicture`.
 */
export async function* decodePictures(
  units: AsyncIterable<Uint8Array>,
): AsyncGenerator<DecodedFrame> {
  const decoder = await openDecoder();
  let address: number | undefined;
  for await (const unit of units) {
    // A decoder describes all pictures at one address, which is known only at its end.
    address ??= await readAddressAfter(unit);
    decoder.decode(unit);
    const picture = decoder.pictureAt(address);
    if (picture.width > 0) yield picture;
  }
  yield decoder.lastPicture();
}

async function readAddressAfter(unit: Uint8Array): Promise<number> {
  const decoder = await openDecoder();
  decoder.decode(unit);
  return decoder.lastAddress();
}

async function openDecoder() {
  const code = await readFile(new URL('./decoder.wasm', import.meta.url));
  const memory = new WebAssembly.Memory(memoryPages);
  // Its other imports are for a C library's error output.
  const system = new Proxy({}, { get: () => () => badFileNumber });
  const imports = { env: { memory }, wasi_snapshot_preview1: system };
  const { instance } = await WebAssembly.instantiate(code, imports);
  const decoder = instance.exports as Decoder;
  decoder._initialize();
  const room = { address: 0, bytes: 0 };

  function decode(unit: Uint8Array): void {
    if (unit.length > room.bytes) {
      room.bytes = unit.length * 2;
      room.address = decoder.allocate(room.bytes);
      if (room.address === 0) throw new Error('the picture is too large to decode');
    }
    new Uint8Array(memory.buffer, room.address, unit.length).set(unit);
    if (decoder.decode(room.address, unit.length) === 0) throw undecodable();
  }

  function lastAddress(): number {
    const frame = decoder.lastPicture();
    if (frame === 0) throw undecodable();
    return frame;
  }

  function pictureAt(frame: number): DecodedFrame {
    const [width = 0, height = 0, luma = 0, chroma = 0, ...addresses] = new Int32Array(
      memory.buffer,
      frame,
      7,
    );
    const [y = 0, u = 0, v = 0] = addresses;
    const rows = Math.ceil(height / 2);
    const plane = (address: number, bytes: number) => new Uint8Array(memory.buffer, address, bytes);
    return {
      width,
      height,
      planes: [plane(y, luma * height), plane(u, chroma * rows), plane(v, chroma * rows)],
      strides: [luma, chroma],
    };
  }

  return { decode, lastAddress, pictureAt, lastPicture: () => pictureAt(lastAddress()) };
}

const undecodable = () => new Error('the picture cannot be decoded');

/** WASI's EBADF: there are no files. */
const badFileNumber = 8;
