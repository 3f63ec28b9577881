import type { Catalogue, CatalogueVersion } from './catalogue.ts';
import { type CatalogueChange, catalogueChanges } from './catalogueChanges.ts';

/** A field of GET /models that a file can set, for a group of accounts or for everyone else. */
export type Figure = Pick<CatalogueChange, 'group' | 'model' | 'field'>;

/** The operator's file with models or prices, as it is now. */
export type CatalogueFile = Readonly<{ name: string }> &
  (
    | {
        catalogue: Catalogue;
        /** The line that sets a figure, from 1; null if the file leaves it as it is built in. */
        lineOf: (figure: Figure) => number | null;
      }
    | { problem: string }
  );

/**
 * Names the place where the figures of a version are set: `models.json:12`; or their version, if the file has changed
 * since, with the file's present value.
 * @param file Null without one, as in a process that follows the file of others.
 */
export function placesOf(
  version: CatalogueVersion,
  file: CatalogueFile | null,
): (figure: Figure) => string {
  const ofVersion = `version ${version.number}`;
  if (file === null || 'problem' in file) {
    return () => (file === null && !version.isOperators ? 'built in' : ofVersion);
  }
  const figureKey = ({ group, model, field }: Figure) => JSON.stringify([group, model, field]);
  const changes = new Map(
    catalogueChanges(version, file.catalogue).map((each) => [figureKey(each), each.after]),
  );
  return (figure) => {
    const isGone = changes.get(figureKey({ ...figure, field: '' })) === false;
    if (isGone) return `${ofVersion}; not in ${file.name} now`;
    const line = file.lineOf(figure);
    const place = line === null ? 'built in' : `${file.name}:${line}`;
    const key = figureKey(figure);
    return changes.has(key)
      ? `${ofVersion}; ${place} has ${JSON.stringify(changes.get(key))} now`
      : place;
  };
}
