/** A pattern that is not linear, or looks non-linear, and the reason why it is still fast. */
interface PatternBound {
  file: string;
  source: string;
  /** Characters of the longest text that reaches it; `trusted` if only ours and the operator's does. */
  maxLength: number | 'trusted';
  /** The bound on its input. */
  because: string;
}

const credentials = String.raw`((?<![\w-])[\w-]*(?:authorization|signature|token|secret|password|credential|cookie|api[-_]?key|access[-_]?key)[\w-]*\\*["']?\s*[:=]\s*\\*)(?!-?\d+(?:\.\d+)?\b|null\b)(?:"(?:[^"\\]|\\.){0,2000}"?|'[^']{0,2000}'?|\[[^\]]{0,2000}\]?|[^\s,;&"'<>{}\]]+)`;

/** Characters of a response or a prompt that the rules of a provider's row read (`verdicts.ts`). */
export const rowText = 5_000;

/** Every pattern without a row is linear. */
export const patternBounds: readonly PatternBound[] = [
  {
    file: 'gateway/preview/src/child/fonts.ts',
    source: String.raw`url\(([^)]+)\)[^}]*unicode-range:([^;}]+)`,
    maxLength: 'trusted',
    because: 'it reads the style sheets of installed packages',
  },
  {
    file: 'gateway/src/settings/jsonFile.ts',
    source: String.raw`"(?:[^"\\]|\\.)*"|[[\]{},\n]`,
    maxLength: 'trusted',
    because: 'it reads valid JSON of the operator, in which each string ends',
  },
  {
    file: 'gateway/src/settings/clearTextWarnings.ts',
    source: String.raw`^mongodb(\+srv)?:\/\/(?:[^@/]*@)?([^/?]*)\/?[^?]*(?:\?(.*))?$`,
    maxLength: 'trusted',
    because: 'it reads a setting',
  },
  {
    file: 'gateway/providers/src/redact.ts',
    source: credentials,
    maxLength: 199,
    because: 'it is slow within one word only, and the rule before it leaves no longer one',
  },
];

/** Every `new RegExp`, by file and the first line of its argument: why the pattern is linear. */
export const builtPatterns: Readonly<Record<string, string>> = {
  'gateway/preview/src/child/text.ts: `(\\\\p{M}{${maxMarks}})\\\\p{M}+`':
    'one fixed and one open run',
  'gateway/providers/src/aiSdk/dialects.ts: literalPattern(text)': 'words of ours, escaped',
  'gateway/providers/src/http/httpDialect.ts: words': 'words of a description, escaped',
  "gateway/providers/src/keyForms.ts: forms.join('|')":
    'the key of a provider; repetitions end at four',
  'gateway/providers/src/parseDialect.ts: id':
    'of a row; anchored, for an id of at most 128 characters',
  'gateway/providers/src/parseDialect.ts: match': 'of a row, for the cut words of a response',
  'gateway/providers/src/rowSchema.ts: String.raw`^(@(${interfaceField})|[\\w:]+(\\.[\\w:]+)*)$`':
    'reads rows; parts are separated by dots',
  'gateway/providers/src/rowSchema.ts: text': 'only compiles the pattern of a row',
  "gateway/providers/src/rows.ts: `^${parts.join('.*')}$`":
    'the template of a row, for a URL of a row',
  'gateway/providers/src/verdicts.ts: String.raw`\\b(model|deployment|endpoint)\\b${gap}\\b(not found|does':
    'words, and a gap of bounded length',
  'gateway/src/adapters/mongo/generations/upkeepStore.ts: `[${own}]$`': 'one character',
  'gateway/src/adapters/mongo/generations/upkeepStore.ts: `[^${before}]$`': 'one character',
  'gateway/src/domain/brand/svg.ts: [': 'sticky, and its alternatives begin differently',
  "gateway/src/http/site/account/pageRights.ts: `^${parts.join('/')}$`":
    'parts of paths of ours, separated by slashes',
  'shared/src/operator/fields.ts: `^[!-~]{1,${max}}$`': 'one bounded run',
};
