import { say } from '../../figures.ts';
import { parseOptions } from '../../options.ts';
import { dayTable } from './dayTable.ts';

/**
 * `npm run bench:capacity -- 5000000 20000000`: plays days of these numbers of generations with the measured costs of
 * single steps, and prints the fleets that they need. Nothing is measured.
 */
const loads = parseOptions({}, true).words.map(Number);
if (loads.length === 0 || loads.some((load) => !(load >= 1))) {
  throw new Error('name the generations of a day, such as: npm run bench:capacity -- 5000000');
}
say(dayTable(loads));
