import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '@framegate/contract';
import { readIfPresent } from '../adapters/system/files.ts';
import type { ClientFile } from '../http/site/clients/clientPackages.ts';
import { version } from './version.ts';

/** Folder of the packed clients; a checkout does not have it until `npm run clients` has made it. */
export const clientsFolder = fileURLToPath(new URL('../../clients', import.meta.url));

/** Name of the list in the folder. */
export const clientListName = 'clients.json';

/** The files of the folder, with the version and contract that they were made from. */
export interface ClientList {
  version: string;
  /** Hash of the contract. */
  contract: string;
  /** SHA-256 in hexadecimal digits, by name. */
  files: Readonly<Record<string, string>>;
}

/** Hash of the contract's code, from which the clients are generated. */
export function contractHash(): string {
  const folder = fileURLToPath(new URL('.', import.meta.resolve('@framegate/contract')));
  const hash = createHash('sha256');
  // The image has no tests.
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .toSorted();
  for (const name of files) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest('hex');
}

/** SHA-256 in hexadecimal digits. */
export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex');

const mediaTypeOf = (name: string) =>
  name.endsWith('.whl') ? 'application/zip' : 'application/gzip';

/**
 * Reads the packed clients, whose list names them. None are served, after a warning, if they were made from another
 * version or contract, or differ from their list: a client must fit its gateway.
 */
export function readClientFiles(
  log: Pick<Log, 'warn'>,
  folder: string = clientsFolder,
): readonly ClientFile[] {
  try {
    const list = readList(folder);
    if (list === null) return [];
    if (list.version !== version || list.contract !== contractHash()) {
      log.warn({}, 'packed clients have a different version; run "npm run clients"');
      return [];
    }
    return Object.entries(list.files).map(([name, hash]) => {
      const bytes = readFileSync(join(folder, name));
      if (sha256(bytes) !== hash) throw new Error(`${name} differs from its checksum`);
      return { name, bytes, hash, mediaType: mediaTypeOf(name) };
    });
  } catch (error) {
    log.warn({ error }, 'failed to read the packed clients; run "npm run clients"');
    return [];
  }
}

/** @returns Null if nothing was packed. */
function readList(folder: string): ClientList | null {
  const text = readIfPresent(join(folder, clientListName));
  return text === null ? null : (JSON.parse(text) as ClientList);
}
