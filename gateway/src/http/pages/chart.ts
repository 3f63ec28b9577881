import { text } from '../../texts/text.ts';
import { formatNumber, html, type Html } from './html.ts';
import { wideTable } from './elements.ts';

/** One series of a chart: a name and a value for each column. */
export interface Series {
  name: string;
  /** CSS class of its colour: a tone such as `danger`, or one of `chartTones`. */
  tone: string;
  /** One value per column; null where there is none. */
  values: readonly (number | null)[];
}

/** Colours of series that do not represent a state. */
export const chartTones = ['accent', 'progress', 'warning', 'violet', 'rose', 'others'] as const;

/** Assigns a colour to each series; those beyond the last colour are added up as "others". */
export function inColours(
  sums: readonly { name: string; values: number[] }[],
): { name: string; tone: string; values: number[] }[] {
  const own = sums.slice(0, chartTones.length - 1);
  const rest = sums.slice(own.length);
  const others = (rest[0]?.values ?? []).map((_, at) =>
    rest.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
  );
  const all = rest.length === 0 ? own : [...own, { name: text('parts.others'), values: others }];
  return all.map((each, at) => ({ ...each, tone: chartTones[at] ?? chartTones[0] }));
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
}

const height = 100;
const step = 10;

/** A chart of stacked bars. */
export function barChart(chart: Chart): Html {
  const { series, columns } = chart;
  const sums = columns.map((_, at) =>
    series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
  );
  const most = niceCeiling(Math.max(1, ...sums));
  const bars = columns.map((column, at) => {
    let top = height;
    const parts = series.map(({ name, tone, values }) => {
      const value = values[at] ?? 0;
      if (value === 0) return null;
      const tall = (height * value) / most;
      top -= tall;
      return html`<rect
        class="${tone}"
        x="${at * step + 1}"
        y="${top.toFixed(2)}"
        width="${step - 2}"
        height="${tall.toFixed(2)}"
        ><title>${column}: ${name} ${written(chart, value)}</title></rect
      >`;
    });
    return html`${parts}`;
  });
  return frame(chart, most, html`${bars}`);
}

/** A chart with one line per series. */
export function lineChart(chart: Chart): Html {
  const { series } = chart;
  const all = series.flatMap(({ values }) => values.filter((value) => value !== null));
  const most = niceCeiling(Math.max(1, ...all));
  const lines = series.map(({ tone, values }) => {
    const points = values.flatMap((value, at) =>
      value === null
        ? []
        : [`${at * step + step / 2},${(height - (height * value) / most).toFixed(2)}`],
    );
    // A zero-length line with round ends: a dot that stays round when the drawing is stretched.
    const dots = points.map((point) => html`<path class="${tone}" d="M${point}h0" />`);
    return html`<polyline class="${tone}" points="${points.join(' ')}" />${dots}`;
  });
  return frame(chart, most, html`${lines}`);
}

/**
 * Frames a drawing that stretches with the page. Labels are HTML text, which keeps its size on a phone; a table
 * has the exact figures and serves screen readers.
 */
function frame(chart: Chart, most: number, drawing: Html): Html {
  const { series, columns, summary } = chart;
  const wide = columns.length * step;
  const legend = series.map(({ name, tone }) => html`<span class="badge ${tone}">${name}</span> `);
  const rows = columns.map((column, at) => {
    const cells = series.map(({ values }) => html`<td>${written(chart, values[at] ?? null)}</td>`);
    return html`<tr>
      <th scope="row">${column}</th>
      ${cells}
    </tr>`;
  });
  return html`<figure class="chart">
    <figcaption>${summary}</figcaption>
    <span class="quiet">${written(chart, most)}</span>
    <svg
      viewBox="0 0 ${wide} ${height}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${summary}"
    >
      <line x1="0" x2="${wide}" y1="0" y2="0" />
      <line x1="0" x2="${wide}" y1="${height / 2}" y2="${height / 2}" />
      <line x1="0" x2="${wide}" y1="${height}" y2="${height}" />
      ${drawing}
    </svg>
    <div class="ends"><small>${columns[0]}</small><small>${columns.at(-1)}</small></div>
    <div class="legend">${legend}</div>
    <details>
      <summary>${text('parts.figures')}</summary>
      ${wideTable(summary, [text('parts.time'), ...series.map(({ name }) => name)], rows)}
    </details>
  </figure>`;
}

function written({ format = formatNumber }: Chart, value: number | null): string {
  return value === null ? '–' : format(value);
}

/** The next suitable end of an axis: an even number with one digit and zeros. */
export function niceCeiling(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  const digits = [1, 2, 4, 6, 8, 10].find((digit) => digit * unit >= value) ?? 10;
  return Math.max(2, digits * unit);
}
