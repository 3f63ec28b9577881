import { html, type Html } from '../pages/html.ts';

const width = 960;
const height = 160;
const left = 44;
const bottom = 22;
const top = 10;

/**
 * Bars of what ended in each minute, completed below and failed above, as a picture made here: no
 * script, no style of its own, and its figures are there as text for those who cannot see it.
 */
export function minutesChart(minutes: readonly { completed: number; failed: number }[]): Html {
  const most = niceCeiling(
    Math.max(1, ...minutes.map(({ completed, failed }) => completed + failed)),
  );
  const plot = height - top - bottom;
  const step = (width - left) / Math.max(1, minutes.length);
  const y = (value: number) => top + plot - (plot * value) / most;
  const bars = minutes.map(({ completed, failed }, index) => {
    const x = left + index * step + 1;
    const ago = minutes.length - 1 - index;
    const bar = (from: number, to: number, kind: string) =>
      to === from
        ? null
        : html`<rect
            class="${kind}"
            x="${x.toFixed(1)}"
            y="${y(to).toFixed(1)}"
            width="${(step - 2).toFixed(1)}"
            height="${(y(from) - y(to)).toFixed(1)}"
          />`;
    return html`<g>
      <title>${ago} min ago: ${completed} completed, ${failed} failed</title>
      ${bar(0, completed, 'success')}${bar(completed, completed + failed, 'danger')}
    </g>`;
  });
  const lines = [0, most / 2, most].map(
    (value) =>
      html`<line x1="${left}" x2="${width}" y1="${y(value)}" y2="${y(value)}" />
        <text x="${left - 6}" y="${y(value) + 4}" text-anchor="end">${value}</text>`,
  );
  const marks = [60, 45, 30, 15].map(
    (ago) =>
      html`<text x="${left + (minutes.length - ago) * step}" y="${height - 6}"
        >${ago} min ago</text
      >`,
  );
  const sum = (of: 'completed' | 'failed') => minutes.reduce((all, each) => all + each[of], 0);
  const summary = `In the last hour ${sum('completed')} completed and ${sum('failed')} failed.`;
  return html`<svg
      class="chart"
      viewBox="0 0 ${width} ${height}"
      role="img"
      aria-label="${summary}"
    >
      ${lines} ${marks} ${bars}
    </svg>
    <p class="quiet">${summary}</p>`;
}

/** The next number that an axis may end with: even, and one digit with zeros. */
export function niceCeiling(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  const digits = [1, 2, 4, 6, 8, 10].find((digit) => digit * unit >= value) ?? 10;
  return Math.max(2, digits * unit);
}
