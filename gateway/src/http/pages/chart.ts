import { sum } from '@framegate/contract';
import { text } from '../../texts/text.ts';
import { wideTable } from './elements.ts';
import { formatNumber, type Html, html } from './html.ts';

/** One series of a chart: a name and a value for each column. */
export interface Series {
  name: string;
  /** CSS class of its colour: a tone such as `danger`, or one of `nameTones`. */
  tone: string;
  /** One value per column; null where there is none. */
  values: readonly (number | null)[];
}

/** Colours of names; red and amber are for failures alone. */
export const nameTones = ['progress', 'violet', 'accent', 'success'] as const;
/** Colours of the causes of failures. */
export const failureTones = ['danger', 'warning', 'rose'] as const;

/**
 * Assigns each name the colour of its position among all names, so that it is the same on every page. If two names of a
 * chart share a colour, the later one gets the next free colour. Names without a colour become "others".
 * @param sums Most important first.
 * @param all All existing names, in a stable order.
 */
export function inColours(
  sums: readonly { name: string; values: number[] }[],
  all: readonly string[],
  tones: readonly string[] = nameTones,
): { name: string; tone: string; values: number[] }[] {
  const own = sums.slice(0, tones.length);
  const free = new Set(tones);
  const placed = own
    .map(({ name }) => ({ name, place: all.includes(name) ? all.indexOf(name) : all.length }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ name, place }): [string, string | undefined] => {
      const inTurn = tones.map((_, at) => tones[(place + at) % tones.length] ?? '');
      return [name, inTurn.find((tone) => free.delete(tone))];
    });
  const toneOf = new Map(placed);
  const rest = sums.slice(own.length);
  const others = (rest[0]?.values ?? []).map((_, at) =>
    sum(rest.map(({ values }) => values[at] ?? 0)),
  );
  const coloured = own.map((each) => ({ ...each, tone: toneOf.get(each.name) ?? 'others' }));
  const last = { name: text('parts.others'), values: others, tone: 'others' };
  return rest.length === 0 ? coloured : [...coloured, last];
}

/** Data of a chart. */
export interface Chart {
  series: readonly Series[];
  /** Name of each column, such as a day. */
  columns: readonly string[];
  /** Formats a value, such as credits or seconds. */
  format?: (value: number) => string;
  /** Caption, as a sentence. */
  summary: string;
  /** Descriptions of the shaded columns, such as an outage; null for the others. */
  marks?: readonly (string | null)[];
}

const height = 100;
const step = 10;

/** A chart of stacked bars; its legend has the sums. */
export function barChart(chart: Chart): Html {
  const { series, columns } = chart;
  const sums = columns.map((_, at) => sum(series.map(({ values }) => values[at] ?? 0)));
  const max = niceCeiling(Math.max(1, ...sums));
  const bars = columns.map((_, at) => {
    let top = height;
    const parts = series.map(({ tone, values }) => {
      const value = values[at] ?? 0;
      if (value === 0) return null;
      const tall = (height * value) / max;
      top -= tall;
      return html`<rect
        class="${tone}"
        x="${at * step + 1}"
        y="${top.toFixed(2)}"
        width="${step - 2}"
        height="${tall.toFixed(2)}"
      />`;
    });
    return html`${parts}`;
  });
  const sumOf = ({ values }: Series) => sum(values.map((value) => value ?? 0));
  return frame(chart, { max, drawing: html`${bars}`, figureOf: sumOf });
}

/** A chart with one line per series; its legend has the latest values. */
export function lineChart(chart: Chart): Html {
  const { series } = chart;
  const all = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const max = niceCeiling(Math.max(1, ...all));
  const lines = series.map(({ tone, values }) => {
    const points = values.flatMap((value, at) =>
      value === null
        ? []
        : [`${at * step + step / 2},${(height - (height * value) / max).toFixed(2)}`],
    );
    // A zero-length line with round ends: a dot that stays round when the drawing is stretched.
    const dots = points.map((point) => html`<path class="${tone}" d="M${point}h0" />`);
    return html`<polyline class="${tone}" points="${points.join(' ')}" />${dots}`;
  });
  const latest = ({ values }: Series) => values.findLast((value) => value !== null) ?? null;
  return frame(chart, { max, drawing: html`${lines}`, figureOf: latest });
}

/**
 * Frames a drawing that stretches with the page. Labels are HTML text, which keeps its size on a phone; a column shows
 * its values under the pointer, and a table has them for screen readers.
 */
function frame(
  chart: Chart,
  content: { max: number; drawing: Html; figureOf: (series: Series) => number | null },
): Html {
  const { series, columns, summary, marks = [] } = chart;
  const wide = columns.length * step;
  const legend = series.map(
    (each) =>
      html`<span class="badge ${each.tone}"
        >${each.name} ${formatValue(chart, content.figureOf(each))}</span
      > `,
  );
  const shaded = marks.map((mark, at) =>
    mark === null
      ? null
      : html`<rect class="shaded" x="${at * step}" width="${step}" height="${height}" />`,
  );
  const hovered = columns.map((column, at) => {
    const values = series.map(
      (each) => `${each.name} ${formatValue(chart, each.values[at] ?? null)}`,
    );
    const facts = [...values, marks[at]].filter((each) => typeof each === 'string');
    return html`<rect class="column" x="${at * step}" width="${step}" height="${height}"
      ><title>${column}: ${facts.join(', ')}</title></rect
    >`;
  });
  const rows = columns.map((column, at) => {
    const cells = series.map(
      ({ values }) => html`<td>${formatValue(chart, values[at] ?? null)}</td>`,
    );
    return html`<tr>
      <th scope="row">${column}</th>
      ${cells} ${marks.length > 0 && html`<td>${marks[at]}</td>`}
    </tr>`;
  });
  return html`<figure class="chart">
    <figcaption>${summary}</figcaption>
    <span class="quiet">${formatValue(chart, content.max)}</span>
    <svg
      viewBox="0 0 ${wide} ${height}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${summary}"
    >
      <line x1="0" x2="${wide}" y1="0" y2="0" />
      <line x1="0" x2="${wide}" y1="${height / 2}" y2="${height / 2}" />
      <line x1="0" x2="${wide}" y1="${height}" y2="${height}" />
      ${shaded} ${content.drawing} ${hovered}
    </svg>
    <div class="ends">
      <small>${columns[0]}</small><output class="quiet"></output><small>${columns.at(-1)}</small>
    </div>
    <div class="legend">${legend}</div>
    <details>
      <summary>${text('parts.figures')}</summary>
      ${wideTable(summary, [text('parts.time'), ...series.map(({ name }) => name), ...(marks.length > 0 ? [''] : [])], rows)}
    </details>
  </figure>`;
}

function formatValue({ format = formatNumber }: Chart, value: number | null): string {
  return value === null ? '–' : format(value);
}

/** The next suitable end of an axis: an even number with one digit and zeros. */
export function niceCeiling(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  const digits = [1, 2, 4, 6, 8, 10].find((digit) => digit * unit >= value) ?? 10;
  return Math.max(2, digits * unit);
}
