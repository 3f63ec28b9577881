import { basename } from 'node:path';
import { jsonPath, messageOf } from '@framegate/contract';
import type { CatalogueFile } from '../domain/catalogue/catalogueFile.ts';
import { type ConfiguredCatalogue, readCatalogue } from './fileSettings.ts';

/** The current content of the catalogue's file; null for the built-in models. Never throws. */
export function readCatalogueFile(configured: ConfiguredCatalogue): CatalogueFile | null {
  const { file } = configured;
  if (file === null) return null;
  const name = basename(file.path);
  const isPrices = file.setting === 'PRICES_FILE';
  try {
    const { configured: read, lines } = readCatalogue(file);
    const lineOf = (...path: string[]) => lines.get(jsonPath(path)) ?? null;
    return {
      name,
      catalogue: read.catalogue,
      lineOf({ group, model, field }) {
        const path = field.split('.');
        // `pricing.credits` is the only field of PRICES_FILE, and not written there.
        if (isPrices) return lineOf(model, ...path.slice(2));
        if (group === null) return lineOf('models', model, ...path);
        const own = lineOf('groups', group, model, ...path.slice(1));
        return (
          own ?? lineOf('groups', group, model, 'factor') ?? lineOf('groups', group, '*', 'factor')
        );
      },
    };
  } catch (error) {
    return { name, problem: messageOf(error) };
  }
}
