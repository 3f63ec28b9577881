import { dayTable } from '../../lab/bench/capacity/dayTable.ts';
import { betweenMarkers, type Target } from '../target.ts';

/** Fleets for days of different loads, simulated with the measured costs of single steps. */
export const capacityDays: Target = {
  file: 'docs/deploy/capacity.md',
  content: (page) =>
    betweenMarkers(page, 'days', dayTable([100_000, 1_000_000, 10_000_000, 20_000_000])),
};
