/** Marks that are put on letters of any script; vowel signs of a script of its own are no such marks. */
const diacritics =
  /[\u0300-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;

/** What is not seen: zero-width and bidirectional characters, soft hyphens, fillers, variation selectors. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/**
 * Letters of other scripts that look like Latin ones, in lower case (after Unicode's table of
 * confusables, UTS #39); what compatibility normalisation maps is not repeated here.
 */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'аɑαᴀ',
    b: 'вьβʙ',
    c: 'сᴄϲ',
    d: 'ԁđɗᴅ',
    e: 'еєεɛᴇҽ',
    f: 'ғꜰƒ',
    g: 'ɡɢցԍ',
    h: 'һнհħʜ',
    i: 'іιıɩɪӏ',
    j: 'јյʝᴊ',
    k: 'кκᴋ',
    l: 'łʟɭ',
    m: 'мᴍ',
    n: 'ոηпɴղ',
    o: 'оοօσøᴏ',
    p: 'рρᴘ',
    q: 'ԛգզ',
    r: 'гʀɾ',
    s: 'ѕꜱʂ',
    t: 'тτᴛŧ',
    u: 'υսᴜʋ',
    v: 'νѵᴠ',
    w: 'ԝωᴡѡ',
    x: 'хχ',
    y: 'уγүʏ',
    z: 'ᴢʐ',
    ae: 'æӕ',
    oe: 'œ',
  }).flatMap(([latin, letters]) => [...letters].map((letter) => [letter, latin] as const)),
);

/**
 * A text in the form in which rules are held against it, so that writing it differently hides
 * nothing: compatibility forms are unified (NFKC), case and diacritics dropped, invisible characters
 * removed, every run of blanks is one blank.
 */
export function foldText(text: string): string {
  return (
    text
      .normalize('NFKC')
      .replace(invisible, '')
      // Upper case first: it takes ß, ligatures and the two small sigmas apart.
      .toUpperCase()
      .toLowerCase()
      .normalize('NFD')
      .replace(diacritics, '')
      .normalize('NFC')
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
  );
}

/** A folded text with letters that look like Latin ones written as those. */
export function latinise(folded: string): string {
  return folded.replace(/[^\p{ASCII}]/gu, (letter) => lookAlikes.get(letter) ?? letter);
}

/** A text as a pattern that matches it and nothing else. (RegExp.escape is not in Node 22.) */
export function literalPattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Limits for the words of one search and the characters of each word: a pattern's cost grows with its length. */
const maxSearchWords = 6;
const maxSearchWordLength = 40;

/** The words of a search that are looked for; the rest of a long one is not. */
export function searchWords(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.slice(0, maxSearchWords).map((word) => word.slice(0, maxSearchWordLength));
}

/** A line of comma-separated values (RFC 4180), with its line end. */
export function csvLine(values: readonly string[]): string {
  const quoted = values.map((value) =>
    /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value,
  );
  return `${quoted.join(',')}\r\n`;
}

/** Text that a spreadsheet would take for a formula, marked as text. */
export function harmlessText(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
