import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rewriteSei } from './rewriteSei.ts';

interface Message {
  type: number;
  payload: Uint8Array;
}

const sized = (value: number) => [...Array<number>(Math.floor(value / 255)).fill(255), value % 255];

/** An SEI unit as H.264 annex B writes it: after two zeros, a byte of 0 to 3 gets a 3 in front. */
function build(head: readonly number[], messages: Message[]): Buffer {
  const plain = messages.flatMap(({ type, payload }) => [
    ...sized(type),
    ...sized(payload.length),
    ...payload,
  ]);
  const written = [...plain, 0x80].reduce<number[]>((unit, byte) => {
    if (byte <= 3 && unit.at(-1) === 0 && unit.at(-2) === 0) unit.push(3);
    return [...unit, byte];
  }, []);
  return Buffer.from([...head, ...written]);
}

/** Reads a unit back; throws when it is not well-formed. */
function read(unit: Buffer, headBytes: number): Message[] {
  const plain: number[] = [];
  let zeros = 0;
  for (const byte of unit.subarray(headBytes)) {
    if (zeros >= 2 && byte < 3) throw new Error('a start code within the unit');
    const isEscape = zeros >= 2 && byte === 3;
    if (!isEscape) plain.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  if (plain.pop() !== 0x80) throw new Error('no trailing bits');
  const messages: Message[] = [];
  const take = () => {
    let sum = 0;
    for (;;) {
      const byte = plain.shift();
      if (byte === undefined) throw new Error('cut short');
      sum += byte;
      if (byte !== 255) return sum;
    }
  };
  while (plain.length > 0) {
    const type = take();
    const size = take();
    if (size > plain.length) throw new Error('a payload beyond the unit');
    messages.push({ type, payload: Uint8Array.from(plain.splice(0, size)) });
  }
  return messages;
}

const uuid = Buffer.from('dc45e9bde6d948b7962cd820d923eeef', 'hex');
const vendor = Buffer.from('Secretvendor engine 9');
const text: Message = { type: 5, payload: Buffer.concat([uuid, vendor]) };
const timing: Message = { type: 1, payload: Uint8Array.of(0, 0, 1, 0, 0, 0, 0, 2, 0, 0) };

describe('rewriteSei', () => {
  test("replaces an encoder's text with filler of the same length", () => {
    const unit = build([6], [text]);
    const { length } = unit;
    expect(rewriteSei(unit, 1)).toBe(true);
    expect(unit).toHaveLength(length);
    expect(unit.includes(uuid)).toBe(false);
    expect(read(unit, 1).map(({ type }) => type)).toEqual([3]);
  });

  test.each<[version: string, kept: string | null]>([
    ['x264 - core 142 r2389 956c8d8 - Secretvendor options: cabac=1', 'x264 - core 142 '],
    ['x264 - core 142 ', 'x264 - core 142 '],
    ['x264 - core 164 r3095 baee400 - Secretvendor options: cabac=1', null],
  ])('keeps only the number of an old x264, whose faults decoders know: %s', (version, kept) => {
    const unit = build(
      [6],
      [timing, { type: 5, payload: Buffer.concat([uuid, Buffer.from(version)]) }],
    );
    const { length } = unit;
    rewriteSei(unit, 1);
    expect(unit).toHaveLength(length);
    expect(unit.includes('Secretvendor')).toBe(false);
    const texts = read(unit, 1).filter(({ type }) => type === 5);
    expect(texts.map(({ payload }) => Buffer.from(payload).toString('latin1', 16))).toEqual(
      kept === null ? [] : [kept],
    );
  });

  test('keeps the data that decoding needs', () => {
    const unit = build([6], [timing, text, timing]);
    expect(rewriteSei(unit, 1)).toBe(true);
    expect(read(unit, 1).slice(-2)).toEqual([timing, timing]);
    const untouched = build([6], [timing]);
    const before = Buffer.from(untouched);
    expect(rewriteSei(untouched, 1)).toBe(false);
    expect(untouched).toEqual(before);
  });

  test.each([
    ['captions', 'b50031474139340341', false],
    ['HDR10+', 'b5003c00010400', false],
    ['Dolby', 'b5003b0000080000', false],
    ['of a country and an unknown organisation', '260004536563726574', true],
    ['cut short', 'b5', true],
  ])('registered user data: %s', (_, payload, isTaken) => {
    const unit = build([6], [{ type: 4, payload: Buffer.from(payload, 'hex') }]);
    expect(rewriteSei(unit, 1)).toBe(isTaken);
  });

  test('empties a malformed unit', () => {
    const unit = Buffer.concat([Buffer.from([6, 5, 200]), vendor]);
    expect(rewriteSei(unit, 1)).toBe(true);
    expect(unit.includes('Secret')).toBe(false);
    expect(read(unit, 1).map(({ type }) => type)).toEqual([3]);
  });

  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc
      .array(fc.constantFrom(0, 0, 0, 1, 2, 3, 0x80, 255), { maxLength: 600 })
      .map((list) => Uint8Array.from(list)),
  );
  const message = fc.record({ type: fc.constantFrom(0, 1, 5, 6, 300), payload: bytes });

  test('for any messages: same length, well-formed, only free text lost', () => {
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 5 }),
        fc.constantFrom<number[]>([6], [0x4e, 1]),
        (messages, head) => {
          const unit = build(head, messages);
          const { length } = unit;
          expect(read(unit, head.length)).toEqual(messages);
          const changed = rewriteSei(unit, head.length);
          const isText = ({ type, payload }: Message) => type === 5 && payload.length > 0;
          expect(changed).toBe(messages.some(isText));
          expect(unit).toHaveLength(length);
          expect([...unit.subarray(0, head.length)]).toEqual(head);
          const after = read(unit, head.length);
          const kept = after.filter(({ type }) => type !== 3);
          const wanted = messages.filter((each) => !isText(each));
          // Zeros at both ends and two bytes to fill: then everything goes.
          if (kept.length === 0 && wanted.length > 0) expect(wanted[0]?.type).toBe(0);
          else expect(kept).toEqual(wanted);

          for (const { type, payload } of after) {
            if (type === 3) expect(payload.every((byte) => byte === 255)).toBe(true);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
