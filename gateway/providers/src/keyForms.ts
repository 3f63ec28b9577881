import { literalPattern } from '@framegate/contract';
import { setWithin } from '@framegate/limits';

/** Invisible characters between two characters of a key, also as JSON escapes. */
const unseen = String.raw`(?:[\u00ad\u200b-\u200f\u2060\ufeff]|\\{1,4}u(?:00ad|200[b-f]|2060|feff)){0,4}`;
/**
 * Minimum lengths, since short keys would match by accident: bytes for hexadecimal, characters of base64, and
 * characters of a part.
 */
const minHexBytes = 4;
const minBase64Length = 6;
const minPartLength = 8;
/** Maximum number of cached patterns; a process has few keys. */
const maxPatterns = 200;

const patterns = new Map<string, RegExp>();

/**
 * Replaces a provider's key by `<key>` wherever a text contains it: in either case, escaped for JSON or a URL,
 * with invisible characters in between, in hexadecimal, and in base64 of any text that contains it, such as
 * `Bearer` and the key. Each part of `id:secret` counts as a key. The time is proportional to the text.
 * @param apiKey If empty, nothing is replaced.
 */
export function withoutKey(text: string, apiKey: string): string {
  return apiKey === '' ? text : text.replace(patternOf(apiKey), '<key>');
}

function patternOf(apiKey: string): RegExp {
  const cached = patterns.get(apiKey);
  if (cached) return cached;
  const parts = apiKey.split(':').filter((part) => part.length >= minPartLength);
  const forms = [...new Set([apiKey, ...parts])].flatMap(formsOf);
  const pattern = new RegExp(forms.join('|'), 'gi');
  setWithin(patterns, apiKey, pattern, maxPatterns);
  return pattern;
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const written = Array.from(secret, characterForm).join(unseen);
  const inBase64 = [0, 1, 2].flatMap((offset) => base64Form(bytes, offset));
  const hex = pairsOf(bytes).join('[ :-]?');
  return [written, ...inBase64, ...(bytes.length >= minHexBytes ? [hex] : [])];
}

/** One character, plain or escaped. All repetitions are bounded. */
function characterForm(character: string): string {
  const bytes = Buffer.from(character);
  const unit = character.charCodeAt(0).toString(16);
  const escapes = [
    `u${unit.padStart(4, '0')}`,
    ...(bytes.length === 1 ? [`x${unit.padStart(2, '0')}`] : []),
  ];
  const percent = pairsOf(bytes).map((pair) => `%${pair}`);
  return `(?:\\\\{0,4}${literalPattern(character)}|${percent.join('')}|\\\\{1,4}(?:${escapes.join('|')}))`;
}

/**
 * The base64 characters that encode only the secret, for an offset: three bytes are four characters, so there
 * are three alignments. Neighbouring characters encode a few bits of it, which remain.
 * @param offset Number of preceding bytes, modulo three.
 */
function base64Form(secret: Buffer, offset: number): string[] {
  const [first, end] = [(offset * 8) / 6, ((offset + secret.length) * 8) / 6];
  const whole = Buffer.concat([Buffer.alloc(offset), secret]).toString('base64');
  const own = whole.slice(Math.ceil(first), Math.floor(end));
  return own.length < minBase64Length ? [] : [Array.from(own, base64Character).join('')];
}

/** Both alphabets (RFC 4648 sections 4 and 5), also escaped for JSON or a URL. */
function base64Character(character: string): string {
  if (character === '+') return '(?:[+-]|%2b)';
  return character === '/' ? '(?:\\\\{0,4}[/_]|%2f)' : character;
}

function pairsOf(bytes: Buffer): string[] {
  return bytes.toString('hex').match(/../g) ?? [];
}
