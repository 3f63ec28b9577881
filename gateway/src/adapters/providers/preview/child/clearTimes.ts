/** Boxes whose children are looked at, and those that hold times (ISO/IEC 14496-12, section 8). */
const PARENTS = new Set(['moov', 'trak', 'mdia']);
const TIMED = new Set(['mvhd', 'tkhd', 'mdhd']);

/**
 * Sets the creation and modification times in an MP4's headers to zero ("not known"), in place, so that
 * equal renders are equal files.
 */
export function clearTimes(mp4: Uint8Array): Uint8Array {
  clearWithin(new DataView(mp4.buffer, mp4.byteOffset, mp4.byteLength), 0, mp4.byteLength);
  return mp4;
}

function clearWithin(view: DataView, from: number, to: number): void {
  for (let at = from; at + 8 <= to;) {
    const size = view.getUint32(at);
    const type = String.fromCharCode(...[4, 5, 6, 7].map((offset) => view.getUint8(at + offset)));
    // Sizes of 0 and 1 (to the end, 64 bits) only occur on media data, which comes last.
    if (size < 8) return;
    if (PARENTS.has(type)) clearWithin(view, at + 8, at + size);
    if (TIMED.has(type)) {
      // Version and flags, then two times of 32 bits, or of 64 in version 1.
      const timesLength = view.getUint8(at + 8) === 1 ? 16 : 8;
      for (let offset = 0; offset < timesLength; offset += 1) view.setUint8(at + 12 + offset, 0);
    }
    at += size;
  }
}
