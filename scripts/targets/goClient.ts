import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOpenApi } from '@framegate/contract/openapi';
import type { Target } from '../target.ts';

const folder = join(import.meta.dirname, '../../integrations/go');
const settings = join(folder, 'api/codegen.yaml');
const tools = join(folder, 'tools');

/**
 * Go client, generated with oapi-codegen. The file has a hash of its sources, so that Go is needed only after a
 * change.
 */
export const goClient: Target = {
  file: 'integrations/go/api/client.gen.go',
  plain: true,
  content(current) {
    const document = JSON.stringify(buildOpenApi({ baseUrl: 'https://api.example.com/v1' }));
    const hash = createHash('sha256').update(document);
    for (const file of [settings, join(tools, 'go.mod')]) hash.update(readFileSync(file));
    const origin = `// Made of the OpenAPI document and settings with the SHA-256 ${hash.digest('hex')}.\n`;
    return current.startsWith(origin) ? current : `${origin}\n${generate(document)}`;
  },
};

/** @throws Error if Go is missing. */
function generate(document: string): string {
  const place = mkdtempSync(join(tmpdir(), 'framegate-go-'));
  try {
    const file = join(place, 'openapi.json');
    writeFileSync(file, document);
    const args = ['tool', 'oapi-codegen', '-config', settings, file];
    return execFileSync('go', args, { cwd: tools, encoding: 'utf8', maxBuffer: 2 ** 24 });
  } catch (cause) {
    throw new Error('integrations/go/api/client.gen.go needs Go 1.26 to be made', { cause });
  } finally {
    rmSync(place, { recursive: true });
  }
}
