import { readFile } from 'node:fs/promises';

/** A decoded picture: 8 bits, 4:2:0, the rows of each plane `strides` apart. */
export interface DecodedFrame {
  width: number;
  height: number;
  /** Luma, then both chroma planes. */
  planes: [Uint8Array, Uint8Array, Uint8Array];
  /** Bytes between rows of luma and of chroma. */
  strides: [number, number];
}

/** What is used of the engine's own; its types stand in none of those that this project compiles with. */
declare const WebAssembly: {
  Memory: new (pages: { initial: number; maximum: number }) => { buffer: ArrayBuffer };
  instantiate(code: Uint8Array, imports: object): Promise<{ instance: { exports: unknown } }>;
};

/** All that a stream may use, in pages of 64 KiB: 256 MB, more than a picture of 2160p needs. */
const memoryPages = { initial: 64, maximum: 4096 };

/** What decoder.wasm exports; scripts/h264/build.sh makes it of OpenH264. */
interface Decoder {
  _initialize(): void;
  allocate(bytes: number): number;
  decodeKeyFrame(stream: number, bytes: number): number;
}

/**
 * Decodes the first picture of an H.264 stream (Annex B) that begins with its parameter sets: baseline,
 * main and high profile, progressive. For a process that ends with it: its memory is not given back.
 * @throws Error when there is no picture in it that can be decoded; WebAssembly's own when it traps.
 */
export async function decodeKeyFrame(stream: Uint8Array): Promise<DecodedFrame> {
  const code = await readFile(new URL('./decoder.wasm', import.meta.url));
  const memory = new WebAssembly.Memory(memoryPages);
  // What else it asks for is where a C library would write an error to.
  const system = new Proxy({}, { get: () => () => refused });
  const imports = { env: { memory }, wasi_snapshot_preview1: system };
  const { instance } = await WebAssembly.instantiate(code, imports);
  const decoder = instance.exports as Decoder;
  decoder._initialize();
  const at = decoder.allocate(stream.length);
  if (at === 0) throw new Error('too large a picture to be decoded');
  new Uint8Array(memory.buffer, at, stream.length).set(stream);
  const frame = decoder.decodeKeyFrame(at, stream.length);
  if (frame === 0) throw new Error('no picture that can be decoded');
  const [width = 0, height = 0, luma = 0, chroma = 0, ...addresses] = new Int32Array(
    memory.buffer,
    frame,
    7,
  );
  const [y = 0, u = 0, v = 0] = addresses;
  const rows = Math.ceil(height / 2);
  const plane = (address: number, bytes: number) => new Uint8Array(memory.buffer, address, bytes);
  return {
    ...{ width, height },
    planes: [plane(y, luma * height), plane(u, chroma * rows), plane(v, chroma * rows)],
    strides: [luma, chroma],
  };
}

/** WASI's EBADF: there are no files. */
const refused = 8;
