/** Longest text that an outline keeps, in bytes: longer than any value of a provider, shorter than any picture. */
const maxTextBytes = 1_000;
/** Largest outline, in bytes. */
const maxBytes = 256 * 1024;

const quote = 0x22;
const backslash = 0x5c;

/**
 * Collects the JSON of a response that may contain pictures, with empty texts in place of long ones, so that the other
 * fields of the response are read without keeping the pictures.
 */
export class ResponseOutline {
  readonly #kept: Buffer[] = [];
  #bytes = 0;
  /** The text that is being read; null outside of one. */
  #text: { parts: Buffer[]; bytes: number } | null = null;
  /** Backslashes at the end of the part of the text read so far. */
  #backslashes = 0;

  /** Reads the next part of the response. */
  add(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    for (let at = 0; at < bytes.length;) {
      const quoteAt = bytes.indexOf(quote, at);
      const end = quoteAt < 0 ? bytes.length : quoteAt;
      this.#take(bytes.subarray(at, end));
      if (quoteAt >= 0) this.#takeQuote(bytes.subarray(quoteAt, quoteAt + 1));
      at = end + 1;
    }
  }

  /** The outline; null if it would be too long. */
  text(): string | null {
    return this.#bytes > maxBytes ? null : Buffer.concat(this.#kept).toString('utf8');
  }

  #take(part: Buffer): void {
    if (!this.#text) {
      this.#keep(part);
      return;
    }
    this.#text.bytes += part.length;
    // Copied, because the chunk may be large.
    if (this.#text.bytes <= maxTextBytes) this.#text.parts.push(Buffer.from(part));
    const last = part.findLastIndex((byte) => byte !== backslash);
    this.#backslashes = part.length - 1 - last + (last < 0 ? this.#backslashes : 0);
  }

  #takeQuote(one: Buffer): void {
    if (this.#text && this.#backslashes % 2 === 1) {
      this.#take(one);
    } else if (this.#text) {
      const { parts, bytes } = this.#text;
      this.#keep(Buffer.concat([one, ...(bytes <= maxTextBytes ? parts : []), one]));
      this.#text = null;
    } else {
      this.#text = { parts: [], bytes: 0 };
      this.#backslashes = 0;
    }
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes <= maxBytes) this.#kept.push(Buffer.from(part));
  }
}
