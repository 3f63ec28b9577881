import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildOpenApi } from '@framegate/contract/openapi';
import { runProgram } from '../../support/runProgram.ts';
import { installOpenApiTools, openApiTool } from './tools.ts';

let folder: string;

beforeAll(async () => {
  await installOpenApiTools();
  folder = await mkdtemp(join(tmpdir(), 'framegate-openapi-'));
  const document = buildOpenApi({ baseUrl: 'https://api.framegate.test/v1' });
  const worse = { ...document, info: { title: 'x', version: '1' } };
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
  await writeFile(join(folder, 'worse.json'), JSON.stringify(worse));
  await writeFile(join(folder, 'spectral.yaml'), 'extends: ["spectral:oas"]\n');
  await writeFile(join(folder, 'redocly.yaml'), 'extends: [recommended-strict]\n');
});

afterAll(() => rm(folder, { recursive: true }));

const linters: [string, string[]][] = [
  ['spectral', ['lint', '--fail-severity', 'hint', '-r', 'spectral.yaml']],
  ['redocly', ['lint', '--config', 'redocly.yaml']],
];

test.each(linters)('%s passes the document, and fails a worse one', async (name, args) => {
  const place = {
    cwd: folder,
    env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  };
  const lint = (file: string) => runProgram(openApiTool(name), [...args, file], place);
  const { status, output } = await lint('openapi.json');
  expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
  expect(output).not.toMatch(/warning/i);
  expect((await lint('worse.json')).status).not.toBe(0);
});
