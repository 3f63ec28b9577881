/** SEI payload types (H.264 and H.265, annex D) that carry arbitrary data of an encoder or a provider. */
const unregistered = 5;
const registeredByCountry = 4;
const fillerPayload = 3;

/**
 * Registered user data that decoders need: ATSC captions, HDR10+ and Dolby's metadata, by ITU-T T.35 country
 * (USA) and provider code.
 */
const neededRegistered = ['b50031', 'b5003c', 'b5003b'];

interface SeiMessage {
  type: number;
  start: number;
  body: number;
  end: number;
}

/**
 * Replaces free user data, such as an encoder's name and settings, in an SEI unit by filler payload of the same
 * length. The unit stays well-formed and keeps its length.
 * @param unit The whole NAL unit; changed in place.
 * @param headBytes 1 for H.264, 2 for H.265.
 * @returns Whether anything was replaced.
 */
export function rewriteSei(unit: Buffer, headBytes: number): boolean {
  const plain = unescape(unit.subarray(headBytes));
  const messages = parseMessages(plain);
  const keptParts = messages.map((message) => keptOf(plain, message));
  const isWhole = keptParts.every((each, index) => each?.length === lengthOf(messages[index]));
  if (messages.length > 0 && isWhole) return false;
  const rest = escape(Buffer.concat(keptParts.filter((each) => each !== null)));
  const room = unit.length - headBytes - rest.length - 1;
  const filler = fillerMessages(room);
  // The filler comes first: after kept zeros its first byte, a 3, would need escaping itself. An empty
  // one ends in a zero, which kept zeros must not follow.
  const isFirst = filler.at(-1) !== 0 || rest[0] !== 0;
  const fitsBehind = rest.at(-1) !== 0 || rest.at(-2) !== 0;
  // If neither arrangement works (zeros at both ends of the kept bytes, and two bytes to fill), the whole
  // unit is replaced.
  const whole = isFirst || fitsBehind ? null : fillerMessages(room + rest.length);
  unit.set(whole ?? Buffer.concat(isFirst ? [filler, rest] : [rest, filler]), headBytes);
  unit[unit.length - 1] = 0x80;
  return true;
}

const lengthOf = (message: SeiMessage | undefined) => (message ? message.end - message.start : 0);

/** The part of a message to keep: all of it, its encoder's version, or nothing. */
function keptOf(plain: Buffer, message: SeiMessage): Buffer | null {
  const whole = plain.subarray(message.start, message.end);
  if (!isFreeText(plain, message)) return whole;
  const version =
    message.type === unregistered && versionOf(plain.subarray(message.body, message.end));
  if (!version) return null;
  // A message without settings stays unchanged.
  return version.length + 8 <= whole.length ? version : whole;
}

/** The id before x264's version and settings, as encoder/set.c of x264 writes it. */
const x264Id = Buffer.from('dc45e9bde6d948b7962cd820d923eeef', 'hex');
/**
 * The first build of x264 without the faults that decoders work round once they read its number, such as that of 4:4:4
 * pictures (FFmpeg, libavcodec/h264_cabac.c).
 */
const faultlessBuild = 151;

/** A message with the build number of an old x264, without its settings. */
function versionOf(body: Buffer): Buffer | null {
  if (!body.subarray(0, 16).equals(x264Id)) return null;
  const [name, build] = /^x264 - core (\d{1,4})\b/.exec(body.toString('latin1', 16)) ?? [];
  if (name === undefined || Number(build) >= faultlessBuild) return null;
  const text = Buffer.concat([x264Id, Buffer.from(`${name} `, 'latin1')]);
  return Buffer.concat([Buffer.from([unregistered, text.length]), text]);
}

function isFreeText(plain: Buffer, { type, body, end }: SeiMessage): boolean {
  if (body === end) return false;
  if (type === unregistered) return true;
  if (type !== registeredByCountry) return false;
  return !neededRegistered.includes(plain.toString('hex', body, Math.min(body + 3, end)));
}

/** The messages of a unit; none if it is malformed. */
function parseMessages(plain: Buffer): SeiMessage[] {
  const messages: SeiMessage[] = [];
  let offset = 0;
  const readSum = () => {
    let sum = 0;
    for (; plain[offset] === 255; offset += 1) sum += 255;
    sum += plain[offset] ?? 0;
    offset += 1;
    return sum;
  };
  // The unit ends with a set bit and zeros; encoders add at most some zero bytes.
  const end = plain.lastIndexOf(0x80);
  while (offset < end) {
    const start = offset;
    const type = readSum();
    const size = readSum();
    if (offset + size > end) return [];
    messages.push({ type, start, body: offset, end: offset + size });
    offset += size;
  }
  return messages;
}

/** Filler payload messages of exactly `room` bytes in total; a size takes one byte per 255. */
function fillerMessages(room: number): Buffer {
  if (room <= 0) return Buffer.alloc(0);
  const sizeBytes = Math.ceil((room - 1) / 256);
  const size = room - 1 - sizeBytes;
  if (size < 0 || Math.floor(size / 255) + 1 !== sizeBytes) {
    return Buffer.concat([Buffer.from([fillerPayload, 0]), fillerMessages(room - 2)]);
  }
  const message = Buffer.alloc(room, 0xff);
  message[0] = fillerPayload;
  message[sizeBytes] = size % 255;
  return message;
}

/** Removes the bytes that prevent start codes within a unit: a 3 after two zeros. */
function unescape(bytes: Buffer): Buffer {
  const plain: number[] = [];
  let zeros = 0;
  for (const byte of bytes) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0;
    } else {
      plain.push(byte);
      zeros = byte === 0 ? zeros + 1 : 0;
    }
  }
  return Buffer.from(plain);
}

/** Reinserts them. */
function escape(plain: Buffer): Buffer {
  const bytes: number[] = [];
  let zeros = 0;
  for (const byte of plain) {
    if (zeros >= 2 && byte <= 3) {
      bytes.push(3);
      zeros = 0;
    }
    bytes.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return Buffer.from(bytes);
}
