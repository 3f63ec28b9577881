/** No picture shows more of a prompt than this, code points; the API's limit is 5,000. */
const LONGEST = 5200;
/** More combining marks than this on one character are no writing, and would run over the picture. */
const MARKS_MAX = 4;

/**
 * A prompt as it is drawn: composed characters, no control, private or invisible direction characters
 * and no lone surrogates, blanks collapsed, and line breaks kept as single `\n`.
 */
export function cleanPrompt(prompt: string): string {
  return [...prompt.slice(0, LONGEST * 2)]
    .slice(0, LONGEST)
    .join('')
    .normalize('NFC')
    .replace(/\r\n?|[\u0085\u2028\u2029\v\f]/gu, '\n')
    .replace(/[\t\u00a0]/gu, ' ')
    .replace(/[\p{Cc}\p{Co}\p{Cs}\p{Noncharacter_Code_Point}]/gu, (found) =>
      found === '\n' ? found : '',
    )
    .replace(/[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffd]/gu, '')
    .replace(new RegExp(`(\\p{M}{${String(MARKS_MAX)}})\\p{M}+`, 'gu'), '$1')
    .replace(/ +/gu, ' ')
    .replace(/ ?\n[ \n]*/gu, '\n')
    .trim();
}

/** Whether a line reads from right to left: what its first letter with a direction says. */
export function readsRightToLeft(line: string): boolean {
  const letter = /\p{L}/u.exec(line)?.[0];
  return letter !== undefined && RIGHT_TO_LEFT.test(letter);
}

const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
