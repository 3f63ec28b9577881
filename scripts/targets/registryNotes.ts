import {
  type ClientFolder,
  registryNote,
} from '../../gateway/src/http/site/clients/clientPackages.ts';
import { betweenMarkers, type Target } from '../target.ts';

/** Documents with lines that install a package from a gateway. */
const places: readonly (readonly [file: string, folder: ClientFolder])[] = [
  ['docs/mcp.md', 'typescript'],
  ['integrations/activepieces/README.md', 'activepieces'],
  ['integrations/ai-sdk/README.md', 'ai-sdk'],
  ['integrations/go/README.md', 'go'],
  ['integrations/n8n/README.md', 'n8n'],
  ['integrations/node-red/README.md', 'node-red'],
  ['integrations/operator/README.md', 'operator'],
  ['integrations/python/README.md', 'python'],
  ['integrations/typescript/README.md', 'typescript'],
];

const end = '<!-- end of registry -->';

/** The sentence after each line that installs a package, until its name is registered. */
export const registryNotes: readonly Target[] = places.map(([file, folder]) => ({
  file,
  content(page) {
    const parts = page.split(end);
    if (parts.length < 2) throw new Error(`${file} needs the marker ${end}`);
    const noteParts = parts
      .slice(0, -1)
      .map((part) => betweenMarkers(part + end, 'registry', registryNote(folder)));
    return [...noteParts, ...parts.slice(-1)].join('');
  },
}));
