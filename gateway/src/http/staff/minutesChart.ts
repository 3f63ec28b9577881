import { barChart } from '../pages/chart.ts';
import type { Html } from '../pages/html.ts';

/** What ended in each minute of the last hour, the oldest first. */
export function minutesChart(minutes: readonly { completed: number; failed: number }[]): Html {
  const sum = (of: 'completed' | 'failed') => minutes.reduce((all, each) => all + each[of], 0);
  return barChart({
    columns: minutes.map((_, index) => `${minutes.length - index} min ago`),
    summary: `In the last hour ${sum('completed')} completed and ${sum('failed')} failed.`,
    series: [
      { name: 'completed', tone: 'success', values: minutes.map(({ completed }) => completed) },
      { name: 'failed', tone: 'danger', values: minutes.map(({ failed }) => failed) },
    ],
  });
}
