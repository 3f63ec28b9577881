import { type CostLine, formatMicros, sumCosts } from '../../domain/cost.ts';
import { html, type Html } from '../pages/html.ts';
import { niceCeiling } from '../pages/chart.ts';

const width = 960;
const height = 180;
const left = 64;
const bottom = 22;
const top = 10;
/** Days that are named below the bars. */
const marks = 6;

/**
 * Bars of what each day cost in a currency: what customers paid for below, what they did not above. A picture
 * made here, whose figures stand in the table of days, too.
 */
export function costsChart(
  lines: readonly CostLine[],
  days: readonly string[],
  currency: string,
): Html {
  const byDay = Map.groupBy(lines, ({ day }) => day);
  const bars = days.map((day) => {
    const { cost = 0, loss = 0 } = sumCosts(byDay.get(day) ?? []).spent.get(currency) ?? {};
    return { day, cost, loss };
  });
  const most = niceCeiling(Math.max(...bars.map(({ cost }) => cost)) / 10_000) * 10_000;
  const plot = height - top - bottom;
  const step = (width - left) / Math.max(1, days.length);
  const y = (value: number) => (top + plot - (plot * value) / most).toFixed(1);
  const shapes = bars.map(({ day, cost, loss }, index) => {
    const bar = (from: number, to: number, kind: string) =>
      to === from
        ? null
        : html`<rect
            class="${kind}"
            x="${(left + index * step + step * 0.1).toFixed(1)}"
            y="${y(to)}"
            width="${(step * 0.8).toFixed(1)}"
            height="${(Number(y(from)) - Number(y(to))).toFixed(1)}"
          />`;
    const paid = cost - loss;
    return html`<g>
      <title>${day}: ${formatMicros(cost)} ${currency}, ${formatMicros(loss)} of it lost</title>
      ${bar(0, paid, 'success')}${bar(paid, cost, 'danger')}
    </g>`;
  });
  const axis = [0, most / 2, most].map(
    (value) =>
      html`<line x1="${left}" x2="${width}" y1="${y(value)}" y2="${y(value)}" />
        <text x="${left - 6}" y="${Number(y(value)) + 4}" text-anchor="end"
          >${formatMicros(Math.round(value))}</text
        >`,
  );
  const every = Math.ceil(days.length / marks);
  const names = days.map((day, index) =>
    index % every === 0
      ? html`<text x="${(left + index * step).toFixed(1)}" y="${height - 6}">${day}</text>`
      : null,
  );
  const { cost = 0, loss = 0 } = sumCosts(lines).spent.get(currency) ?? {};
  const summary = `${formatMicros(cost)} ${currency} in all, ${formatMicros(loss)} of it for results that no customer paid for.`;
  return html`<svg
      class="chart"
      viewBox="0 0 ${width} ${height}"
      role="img"
      aria-label="${summary}"
    >
      ${axis} ${names} ${shapes}
    </svg>
    <p class="quiet">${summary}</p>`;
}
