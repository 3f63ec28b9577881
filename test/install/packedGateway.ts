import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageFolder, pythonEnvironment } from '../clients/python/environment.ts';
import { startProcess } from '../start/gatewayProcess.ts';
import { freePort } from '../support/freePort.ts';
import { mustRun } from '../support/runProgram.ts';
import { copyTracked, linkPackages } from './installCopy.ts';

/** An empty home of someone without the project, but with the key of an account. */
interface Home {
  home: string;
  /** Runs commands there. @returns Their output. @throws Error with it. */
  shell: (commands: string) => Promise<string>;
  /** Runs a program of Node there. */
  node: (program: string) => Promise<string>;
}

/** A gateway that serves the packages of its version. */
export interface PackedGateway {
  origin: string;
  emptyHome(name: string): Promise<Home>;
  stop(): Promise<void>;
}

/** Packs the clients in a copy of the tracked files, and starts its gateway. */
export async function startPackedGateway(): Promise<PackedGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'framegate-install-clients-'));
  const project = join(folder, 'framegate');
  await mkdir(project);
  await copyTracked(project);
  await linkPackages(project);
  await pack(project);
  const PORT = String(await freePort());
  const origin = `http://127.0.0.1:${PORT}`;
  const gateway = startProcess({ PORT, DATA_DIR: join(folder, 'data') }, project);
  const [key = ''] = /fg_live_\w+/.exec(await gateway.untilRunning()) ?? [];
  // As the clients read them.
  const account = { FRAMEGATE_URL: `${origin}/v1`, FRAMEGATE_KEY: key };
  return {
    origin,
    async emptyHome(name) {
      const home = join(folder, name);
      await mkdir(home);
      const env = {
        HOME: home,
        ...account,
        npm_config_prefer_offline: 'true',
        // Where the user's own commands are.
        npm_config_prefix: join(home, 'own'),
        PATH: `${home}/own/bin:${process.env['PATH'] ?? ''}`,
      };
      return {
        home,
        shell: (commands) => mustRun('sh', ['-c', commands], { cwd: home, env }),
        async node(program) {
          await writeFile(join(home, 'program.mjs'), program);
          return mustRun(process.execPath, ['program.mjs'], { cwd: home, env });
        },
      };
    },
    async stop() {
      gateway.child.kill('SIGTERM');
      await gateway.ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function pack(project: string): Promise<void> {
  const python = await pythonEnvironment(join(packageFolder, 'requirements-dev.txt'));
  const env = { PATH: `${python}:${process.env['PATH'] ?? ''}` };
  await mustRun('npm', ['run', 'clients'], { cwd: project, env });
}
