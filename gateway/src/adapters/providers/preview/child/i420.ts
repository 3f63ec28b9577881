/** Bytes of a 4:2:0 frame whose sides are even. */
export function i420Length(width: number, height: number): number {
  return (width * height * 3) / 2;
}

/**
 * Turns opaque RGBA pixels into planes of Y, U and V at 4:2:0 in BT.709 with limited range (ITU-R
 * BT.709-6, section 3: Y 16 to 235, chroma 16 to 240), each chroma sample the mean of four pixels.
 * Integer arithmetic with 16 fraction bits: the same result on every machine.
 */
export function rgbaToI420(
  rgba: Uint8Array,
  width: number,
  height: number,
  into: Uint8Array,
): void {
  const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, width * height);
  const half = width >> 1;
  const uStart = width * height;
  const vStart = uStart + half * (height >> 1);
  for (let y = 0; y < height; y += 2) {
    for (let x = 0, top = y * width, low = top + width; x < width; x += 2, top += 2, low += 2) {
      // Little endian: red is the lowest byte. Indices are in range, `?? 0` is for the compiler.
      const a = pixels[top] ?? 0;
      const b = pixels[top + 1] ?? 0;
      const c = pixels[low] ?? 0;
      const d = pixels[low + 1] ?? 0;
      into[top] = luma(a);
      into[top + 1] = luma(b);
      into[low] = luma(c);
      into[low + 1] = luma(d);
      const red = (a & 255) + (b & 255) + (c & 255) + (d & 255);
      const green = ((a >> 8) & 255) + ((b >> 8) & 255) + ((c >> 8) & 255) + ((d >> 8) & 255);
      const blue = ((a >> 16) & 255) + ((b >> 16) & 255) + ((c >> 16) & 255) + ((d >> 16) & 255);
      const place = (y >> 1) * half + (x >> 1);
      // The sums of four pixels take two of the fraction bits.
      into[uStart + place] = (-6596 * red - 22189 * green + 28785 * blue + CHROMA) >> 18;
      into[vStart + place] = (28785 * red - 26145 * green - 2640 * blue + CHROMA) >> 18;
    }
  }
}

/** 128 and a half for rounding, with 18 fraction bits. */
const CHROMA = (128 << 18) + (1 << 17);

function luma(pixel: number): number {
  return (
    (11966 * (pixel & 255) +
      40254 * ((pixel >> 8) & 255) +
      4064 * ((pixel >> 16) & 255) +
      (16 << 16) +
      (1 << 15)) >>
    16
  );
}
