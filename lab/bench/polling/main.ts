import { say } from '../../figures.ts';
import { parseOptions } from '../../options.ts';
import { shapes } from './shapes.ts';
import { type Figures, goals, type Schedule, simulate } from './simulate.ts';

/**
 * `npm run bench:polling [-- --seed N]`: number of polls of a client that follows the hint, and the share of the
 * duration that passes between an end and the poll that sees it. The same for the same seed.
 */
const { seed } = parseOptions({ seed: 7 }).values;
const columns: readonly (readonly [Schedule, string])[] = [
  ['warm', 'hint, recent history'],
  ['warmBest', 'best that knows all'],
  ['cold', 'hint, no history'],
  ['every5', 'every 5 s'],
  ['every10', 'every 10 s'],
  ['everySecond', 'every second'],
];

const percent = (share: number) => (share * 100).toFixed(share < 0.0995 ? 1 : 0);

/** A star marks figures that miss the goal. */
function show(schedule: Schedule, figures: Figures): string {
  const goal = schedule.startsWith('cold') ? goals.cold : goals.warm;
  const star = (name: keyof typeof goal) => (figures[name] > goal[name] ? '*' : '');
  const polls = `${figures.polls.toFixed(1)}${star('polls')} ${figures.maxPolls}${star('maxPolls')}`;
  const lost = `${percent(figures.lost)}${star('lost')} ${percent(figures.lost95)} ${percent(figures.maxLost)}${star('maxLost')}`;
  return `${polls} · ${lost}`;
}

say(`Polls: average, most · lost, in % of the duration: average, 95 of 100, worst.
* misses the goal: recent history ${goals.warm.polls} polls (${goals.warm.maxPolls} at most), ${percent(goals.warm.lost)}% (${percent(goals.warm.maxLost)}% at most);
no history ${goals.cold.maxPolls} polls at most, ${percent(goals.cold.lost)}% (${percent(goals.cold.maxLost)}% at most). Waits are whole seconds, so nothing
loses less than "every second" does: of a 2 s image a quarter. "best that knows all" takes the fewest
polls that keep 6% and 25%, so what it misses no schedule reaches.
`);
const nameWidth = 40;
const width = 27;
say(''.padEnd(nameWidth) + columns.map(([, title]) => title.padEnd(width)).join(''));
for (const shape of shapes) {
  const figures = simulate(shape, seed);
  const cells = columns.map(([schedule]) => show(schedule, figures[schedule]).padEnd(width));
  say(shape.name.padEnd(nameWidth) + cells.join('').trimEnd());
}
