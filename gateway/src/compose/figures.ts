import { createReadEndFigures } from '../adapters/mongo/endFigures.ts';
import { createReadOpenFigures } from '../adapters/mongo/openFigures.ts';
import { createFigures, type FigureReaders } from '../application/staff/figures.ts';
import type { OpenDatabase } from '../openDatabase.ts';

/** The figures of the whole gateway, read once for the metrics and the console of this process. */
export function composeFigures({
  collections,
  clock,
}: Pick<OpenDatabase, 'collections' | 'clock'>): FigureReaders {
  return createFigures(
    createReadOpenFigures(collections, clock),
    createReadEndFigures(collections, clock),
    clock,
  );
}
