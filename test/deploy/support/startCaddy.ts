import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/freePort.ts';
import { readText } from './deployFiles.ts';
import { wheelPrograms } from './tools.ts';

/** Real Caddy with the file of compose.yaml. */
export interface Caddy {
  /** Port for plain http. */
  httpPort: number;
  /** Certificate of the authority that it makes for names such as `video.localhost`; there once it answers. */
  authority: string;
  close(): Promise<void>;
}

/**
 * Starts Caddy. It listens on 127.0.0.1 alone, for http on a port of its own.
 * @param env Environment of the Caddyfile.
 * @param resolver host:port of the name server that knows UPSTREAM_HOST, instead of the machine's.
 */
export async function startCaddy(
  env: Readonly<Record<'SITE_HOST' | 'MEDIA_HOST' | 'UPSTREAM_HOST' | 'UPSTREAM_PORT', string>>,
  resolver?: string,
): Promise<Caddy> {
  const bin = await wheelPrograms();
  const httpPort = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'framegate-proxy-'));
  const file = join(folder, 'Caddyfile');
  const here = `default_bind 127.0.0.1\nhttp_port ${String(httpPort)}\nskip_install_trust`;
  writeFileSync(
    file,
    readText('deploy/caddy/Caddyfile')
      .replace('\tservers {', `${here}\n$&`)
      .replace('\t\t\trefresh', `${resolver === undefined ? '' : `resolvers ${resolver}\n`}$&`),
  );
  const args = ['run', '--adapter', 'caddyfile', '--config', file];
  const own = { HOME: folder, CADDY_ADMIN: `127.0.0.1:${String(await freePort())}`, ...env };
  const caddy = spawn(join(bin, 'caddy'), args, { env: own, stdio: 'ignore' });
  const ended = once(caddy, 'exit');
  return {
    httpPort,
    authority: join(folder, '.local/share/caddy/pki/authorities/local/root.crt'),
    async close() {
      caddy.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
