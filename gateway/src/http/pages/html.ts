import { escapeHtml } from '../../domain/text/text.ts';
import { isoTime } from '../../domain/time/isoTime.ts';
import { locale } from '../../texts/language.ts';
import { type TextArguments, type TextKey, textParts } from '../../texts/text.ts';

/** Safe HTML, created only by `html`. */
export interface Html {
  readonly markup: string;
}

/** Values in a template: text is escaped, HTML is not; `null`, `undefined` and `false` are omitted. */
export type HtmlValue =
  string | number | Html | readonly (Html | null)[] | null | undefined | false;

/** A template of HTML: `` html`<p title="${title}">${text}</p>` ``. Attributes must be quoted. */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const slim = slimTemplate(parts);
  let markup = slim[0] ?? '';
  let index = 0;
  for (const value of values) markup += markupOf(value) + (slim[(index += 1)] ?? '');
  return { markup };
}

const slimParts = new WeakMap<TemplateStringsArray, readonly string[]>();

/** The parts of a template without the indentation of the source. */
function slimTemplate(parts: TemplateStringsArray): readonly string[] {
  const cached = slimParts.get(parts);
  if (cached) return cached;
  const slim = parts.map((part) => part.replace(/\n\s+/g, '\n'));
  slimParts.set(parts, slim);
  return slim;
}

function markupOf(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  if ('markup' in value) return value.markup;
  return value.map((each) => each?.markup ?? '').join('');
}

/**
 * A text of the catalogue with elements among its values: `` richText('settings.signedIn', { email: html`<strong>…` })
 * ``. A passage such as `<link>…</link>` is given as a function of its inner HTML.
 */
export function richText<Key extends TextKey>(...[key, values]: TextArguments<Key, Html>): Html {
  const escaped = Object.entries<unknown>(values ?? {}).map(([name, value]) => [
    name,
    typeof value === 'function'
      ? (inner: readonly HtmlValue[]) => (value as (inner: Html) => Html)(joinHtml(inner))
      : value,
  ]);
  return joinHtml(
    textParts(key, Object.fromEntries(escaped) as Record<string, unknown>) as HtmlValue[],
  );
}

/** Joins parts, with strings escaped. */
export const joinHtml = (parts: readonly HtmlValue[]): Html => ({
  markup: parts.map(markupOf).join(''),
});

/** Attributes by name; `true` writes the name only, `undefined` and `false` omit it. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Writes attributes into a tag: `` html`<input ${attributes({ name, required: true })} />` ``. */
export function attributes(values: Attributes): Html {
  let markup = '';
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === false) continue;
    if (markup !== '') markup += ' ';
    markup += value === true ? name : `${name}="${escapeHtml(String(value))}"`;
  }
  return { markup };
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Days and minutes in UTC, in the language of the page. */
function dateFormat(kind: 'day' | 'minute'): Intl.DateTimeFormat {
  const { dates } = locale();
  const cached = formats.get(`${dates} ${kind}`);
  if (cached) return cached;
  const fields: Intl.DateTimeFormatOptions =
    kind === 'day'
      ? { dateStyle: 'medium' }
      : { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' };
  const format = new Intl.DateTimeFormat(dates, { ...fields, timeZone: 'UTC' });
  formats.set(`${dates} ${kind}`, format);
  return format;
}

const numberFormats = new Map<string, Intl.NumberFormat>();

/** A number with its noun, such as "1 job" or "1,200 jobs". */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`;

/** Formats a number with thousands separators: `1,234`. */
export function formatNumber(number: number): string {
  const { numbers } = locale();
  const cached = numberFormats.get(numbers);
  if (cached) return cached.format(number);
  const format = new Intl.NumberFormat(numbers);
  numberFormats.set(numbers, format);
  return format.format(number);
}

/** Formats an amount of data in its largest unit, for customers: `900 kB`, `12 MB`, `1.3 GB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1e6) return `${formatNumber(Math.ceil(bytes / 1e3))} kB`;
  if (bytes < 1e9) return `${formatNumber(Math.round(bytes / 1e6))} MB`;
  return `${formatNumber(Math.round(bytes / 1e8) / 10)} GB`;
}

/** Formats the day (UTC) of a time in ms since the epoch. */
export function formatDate(ms: number): string {
  return dateFormat('day').format(ms);
}

/** Formats the day and minute (UTC) of a time in ms since the epoch. */
export function formatMinute(ms: number): string {
  return `${dateFormat('minute').format(ms)} UTC`;
}

/** Formats a duration with two units at most, for customers: `45 s`, `2 min`, `1 min 30 s`, `5 h 20 min`. */
export function formatSeconds(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return inUnits(whole, [60, 'min', 's']);
  return inUnits(Math.round(whole / 60), [60, 'h', 'min']);
}

function inUnits(count: number, [size, large, small]: readonly [number, string, string]): string {
  const rest = count % size;
  const whole = `${Math.floor(count / size)} ${large}`;
  return rest === 0 ? whole : `${whole} ${rest} ${small}`;
}

/** Formats a duration in ms with two units, for staff: `1.2 s`, `4 min 10 s`, `2 h 5 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

const timeElement = (ms: number, text: string, title?: string): Html =>
  html`<time ${attributes({ datetime: isoTime(ms), title })}>${text}</time>`;

/** A day as an element. */
export function date(ms: number): Html {
  return timeElement(ms, formatDate(ms));
}

/** Day and minute as an element, for customers; the page's script converts it to local time. */
export function time(ms: number): Html {
  return localTime(ms, { 'data-local': true });
}

/**
 * A past time as an element, for customers; the page's script shows it as `5 min ago`, with the minute as its title.
 */
export function ago(ms: number): Html {
  return localTime(ms, { 'data-local': 'ago' });
}

const localTime = (ms: number, local: Attributes): Html =>
  html`<time ${attributes({ datetime: isoTime(ms), ...local })}>${formatMinute(ms)}</time>`;

const exact = (ms: number) => isoTime(ms).replace('T', ' ').slice(0, 23);

/** A time (UTC) as an element, for staff, with its milliseconds on hover; a dash if there is none. */
export function timestamp(ms: number | null): Html {
  if (ms === null || ms === 0) return html`<span class="quiet">–</span>`;
  return timeElement(ms, exact(ms).slice(0, 19), exact(ms));
}

/** How long something has lasted as an element, for staff, with its start on hover. */
export function durationElement(sinceMs: number, nowMs: number): Html {
  return timeElement(
    sinceMs,
    formatDuration(nowMs - sinceMs),
    `since ${exact(sinceMs).slice(0, 19)} UTC`,
  );
}
