/** Diacritics that combine with letters of any script, excluding the vowel signs of a particular script. */
const diacritics =
  /[\u0300-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;

/** Invisible characters: zero-width and bidirectional characters, soft hyphens, fillers, variation selectors. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/**
 * Letters of other scripts that look like Latin ones, in lower case (from Unicode's table of confusables, UTS #39),
 * excluding those mapped by compatibility normalisation.
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
 * Folds a text for comparison with rules, so that spelling variants hide nothing: compatibility forms unified (NFKC),
 * case and diacritics dropped, invisible characters removed, each run of whitespace replaced by one space.
 */
export function foldText(text: string): string {
  return (
    text
      .normalize('NFKC')
      .replace(invisible, '')
      // Through upper case, which splits ß and ligatures and unifies the two small sigmas; through lower case first,
      // because the capital ẞ does not split.
      .toLowerCase()
      .toUpperCase()
      .toLowerCase()
      .normalize('NFD')
      .replace(diacritics, '')
      .normalize('NFC')
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
  );
}

/** Replaces letters that look like Latin ones in a folded text. */
export function latinise(folded: string): string {
  return folded.replace(/[^\p{ASCII}]/gu, (letter) => lookAlikes.get(letter) ?? letter);
}

/** Limits for the words of a search and the characters of each: a pattern's cost grows with its length. */
const maxSearchWords = 6;
const maxSearchWordLength = 40;

/** The words of a search, cut to the limits. */
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

/** Marks text as text if a spreadsheet could take it for a formula (OWASP, CSV injection). */
export function escapeFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/** Breaks a paragraph at its spaces into lines of at most `length` characters; a longer word has its own line. */
export function wrapWords(paragraph: string, length: number): string[] {
  const lines: string[] = [];
  for (const word of paragraph.split(/\s+/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= length) {
      lines[lines.length - 1] = `${line} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}

const htmlEntities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for element content and quoted attributes of HTML. */
export function escapeHtml(text: string): string {
  // Most texts have none.
  if (!/[&<>"']/.test(text)) return text;
  return text.replace(/[&<>"']/g, (character) => htmlEntities[character] ?? '');
}
