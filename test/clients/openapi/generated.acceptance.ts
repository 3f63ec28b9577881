import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { projectRoot } from '../../support/runNode.ts';
import { mustRun } from '../../support/runProgram.ts';
import { pythonEnvironment } from '../python/environment.ts';
import { startClientWorld, type ClientWorld } from '../support/clientWorld.ts';
import { installOpenApiTools, openApiTool, toolsFolder } from './tools.ts';

/*
 * Clients that others' generators make of the OpenAPI document of a running gateway: generated, compiled
 * with the strictest checks of their language, and run against that gateway.
 */

let world: ClientWorld;
let env: Record<string, string>;
let openApi: string;

beforeAll(async () => {
  await installOpenApiTools();
  world = await startClientWorld();
  world.ark.script({ prompt: 'It shall fail', on: 'task', plan: { looks: 1, end: 'failed' } });
  const { apiKey } = await world.addAccount({ credits: 1000 });
  env = { FRAMEGATE_URL: world.baseUrl, FRAMEGATE_KEY: apiKey };
  openApi = join(world.folder, 'openapi.json');
  const answer = await fetch(`${world.baseUrl}/openapi.json`);
  await writeFile(openApi, await answer.text());
});

afterAll(() => world.stop());

/** Final report of each program. */
const told = {
  video: true,
  seconds: 5,
  image: true,
  format: 'png',
  failed: 'generation_failed',
  refunded: 25,
  refused: 'generation_not_found',
  per_second: 10,
  per_image: 9,
};

/** A folder of its own for a client, with one of the programs. */
async function folderWith(program: string): Promise<string> {
  const folder = join(world.folder, program);
  await mkdir(folder);
  await cp(join(import.meta.dirname, 'programs', program), join(folder, program));
  return folder;
}

test('TypeScript, by Hey API', async () => {
  const folder = await folderWith('main.mts');
  await symlink(join(toolsFolder, 'node_modules'), join(folder, 'node_modules'));
  const compilerOptions = {
    strict: true,
    target: 'es2023',
    module: 'nodenext',
    skipLibCheck: false,
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    typeRoots: [join(projectRoot, 'node_modules/@types')],
  };
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  const generate = ['-i', openApi, '-o', 'client', '-c', '@hey-api/client-fetch'];
  await mustRun(openApiTool('openapi-ts'), generate, { cwd: folder });
  await mustRun(openApiTool('tsc'), ['-p', '.'], { cwd: folder });
  const output = await mustRun(process.execPath, ['main.mjs'], { cwd: folder, env });
  expect(JSON.parse(output)).toEqual(told);
});

test('Python, by openapi-python-client', async () => {
  const folder = await folderWith('play.py');
  const bin = await pythonEnvironment(join(toolsFolder, 'requirements.txt'));
  const place = { cwd: folder, env: { ...env, PYTHONDONTWRITEBYTECODE: '1' } };
  const generate = ['generate', '--path', openApi, '--meta', 'none'];
  generate.push('--output-path', 'framegate_generated', '--fail-on-warning');
  await mustRun(join(bin, 'openapi-python-client'), generate, {
    ...place,
    env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` },
  });
  // Findings of mypy in the generator's own templates are not ours.
  const strict = ['--cache-dir', 'mypy', '--strict', '--follow-imports', 'silent', 'play.py'];
  await mustRun(join(bin, 'mypy'), strict, place);
  const output = await mustRun(join(bin, 'python'), ['play.py'], place);
  expect(JSON.parse(output)).toEqual(told);
});
