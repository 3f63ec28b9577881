import { head, row } from '../../figures.ts';
import { measuredCosts } from './costs.ts';
import { arrivalsAt, type Day, fleetFor, simulateDay } from './simulateDay.ts';

/** Creates a second at the busiest time that one replica set is planned for. */
const maxCreatesPerSecond = 400;
const noon = 43_200;

/**
 * A Markdown table of the smallest fleets for days of these numbers of generations, and of the effect of an outage at
 * noon.
 * @throws Error for more than one replica set carries.
 */
export function dayTable(loads: readonly number[]): string {
  const rows = loads.map(rowOf);
  return [head(Object.keys(rows[0] ?? {})), ...rows.map((each) => row(Object.values(each)))].join(
    '\n',
  );
}

function rowOf(aDay: number): Record<string, string> {
  const day: Day = {
    generations: aDay,
    swing: 0.6,
    durationS: 45,
    outage: { fromS: noon, forS: 600 },
  };
  const peak = arrivalsAt(day, noon);
  if (peak > maxCreatesPerSecond) {
    throw new Error(`${aDay} a day are more than one replica set carries`);
  }
  const fleet = fleetFor(day);
  const { use, maxWaitS, maxInFlight, caughtUpS } = simulateDay(day, fleet);
  const number = (value: number) => Math.round(value).toLocaleString('en');
  const gigabytes = (bytes: number) => `${number(Math.ceil((bytes * aDay) / 1e9))} GB`;
  return {
    'generations a day': number(aDay),
    'a second at noon': peak < 10 ? peak.toFixed(1) : number(peak),
    '`api`': number(fleet.api),
    '`worker`': number(fleet.worker),
    'cores of the primary': number(fleet.databaseCores),
    'cores for files': number(fleet.fileCores),
    'busiest worker': `${number(use.worker * 100)}%`,
    'longest wait': `${maxWaitS.start.before.toFixed(1)} s`,
    'most at providers': number(maxInFlight),
    'caught up after': `${number(caughtUpS / 60)} min`,
    oplog: gigabytes(measuredCosts.oplogBytes),
    files: gigabytes(measuredCosts.fileBytes),
  };
}
