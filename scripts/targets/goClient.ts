import { execFileSync, type StdioOptions } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOpenApi } from '@framegate/contract/openapi';
import { MissingProgramError, type Target } from '../target.ts';

const folder = join(import.meta.dirname, '../../integrations/go');
const settings = join(folder, 'api/codegen.yaml');
const tools = join(folder, 'tools');
/** The version 1.x in `tools/go.mod`. */
const minor = 26;

/** Go client, generated with oapi-codegen. It contains a hash of its sources, so Go is needed only after a change. */
export const goClient: Target = {
  file: 'integrations/go/api/client.gen.go',
  plain: true,
  needs: `Go 1.${minor}`,
  content(current) {
    const document = JSON.stringify(buildOpenApi({ baseUrl: 'https://api.example.com/v1' }));
    const hash = createHash('sha256').update(document);
    for (const file of [settings, join(tools, 'go.mod')]) hash.update(readFileSync(file));
    const origin = `// Made of the OpenAPI document and settings with the SHA-256 ${hash.digest('hex')}.\n`;
    return current.startsWith(origin) ? current : `${origin}\n${generate(document)}`;
  },
};

/** @throws MissingProgramError without Go of this version or a newer one. */
function generate(document: string): string {
  const installed = installedGo();
  const [, foundMinor] = /^go1\.(\d+)/.exec(installed) ?? [];
  if (!(Number(foundMinor) >= minor)) throw new MissingProgramError(installed);
  const place = mkdtempSync(join(tmpdir(), 'framegate-go-'));
  try {
    const file = join(place, 'openapi.json');
    writeFileSync(file, document);
    return go('tool', 'oapi-codegen', '-config', settings, file);
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** A version like `go1.26.8`, or "not found". */
function installedGo(): string {
  try {
    return /go\d\S*/.exec(go('version'))?.[0] ?? 'of an unknown version';
  } catch {
    return 'not found';
  }
}

function go(...args: readonly string[]): string {
  const stdio: StdioOptions = ['ignore', 'pipe', 'pipe'];
  return execFileSync('go', args, { cwd: tools, encoding: 'utf8', maxBuffer: 2 ** 24, stdio });
}
