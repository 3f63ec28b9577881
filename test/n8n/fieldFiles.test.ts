import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import {
  generationId,
  type LightResponse,
  mp4,
  parameterTables,
  runLight,
} from './support/lightNode.ts';
import { loadSource } from './support/loadSource.ts';

/* Reports of users of other nodes about files, tried on this one: integrations/n8n/docs/field.md has the sources. */

const folder = join(import.meta.dirname, '../../integrations/n8n');

describe('a file', () => {
  const downloaded = (files: (LightResponse | Error)[], keep?: KeepFile) =>
    runLight([parameterTables('generation:get', { download: true })], {
      files,
      ...(keep && { keep }),
    });
  type KeepFile = (body: Readable, fileName: string, mimeType: string) => Promise<object>;

  test.each([
    [undefined, `${generationId}.mp4`],
    ['attachment', `${generationId}.mp4`],
    ['attachment; filename="lake.mp4"', 'lake.mp4'],
    ['attachment; filename=lake.mp4; size=3', 'lake.mp4'],
    ['inline; filename="a lake.mp4"', 'a lake.mp4'],
    ['attachment; filename="lake"', `${generationId}.mp4`],
    ['attachment; filename="../../lake.mp4"', `${generationId}.mp4`],
    ['attachment; filename=".bashrc"', `${generationId}.mp4`],
    ["attachment; filename*=UTF-8''s%C3%A9.mp4", `${generationId}.mp4`],
  ])('with the header %p is called %s', async (header, name) => {
    const headers = header === undefined ? {} : { 'content-disposition': header };
    const { items } = await downloaded([{ statusCode: 200, body: mp4, headers }]);
    expect(items[0]?.binary).toMatchObject({ data: { fileName: name, mimeType: 'video/mp4' } });
  });

  test.each([
    ['video/quicktime', 'mov'],
    ['image/jpeg', 'jpg'],
    ['video/x-new', 'x-new'],
  ])('of the type %s ends in .%s', async (type, extension) => {
    const { fileName } = await loadSource<{
      fileName: (headers: object, id: string, type: string) => string;
    }>('nodes/Framegate/actions/download.ts');
    expect(fileName({}, 'gen_1', type)).toBe(`gen_1.${extension}`);
  });

  test('is handed to n8n as a stream, and on as n8n keeps it', async () => {
    const kept = { id: 'filesystem-v2:42', mimeType: 'video/mp4' };
    let isStream = false;
    const { items } = await downloaded([], (body) => {
      isStream = body instanceof Readable;
      body.resume();
      return Promise.resolve(kept);
    });
    expect(isStream).toBe(true);
    expect(items[0]?.binary).toEqual({ data: kept });
  });

  test('whose connection is cut in the middle is fetched again', async () => {
    let attempts = 0;
    const { items, error } = await downloaded([], (body) => {
      body.resume();
      attempts += 1;
      if (attempts === 1) return Promise.reject(new Error('aborted'));
      return Promise.resolve({ bytes: mp4.length });
    });
    expect({ error, attempts, count: items.length }).toEqual({ error: '', attempts: 2, count: 1 });
  });

  test('is never encoded as text in the code of the node', () => {
    const sources = readdirSync(join(folder, 'nodes'), { recursive: true, encoding: 'utf8' });
    const withText = sources.filter(
      (file) =>
        file.endsWith('.ts') &&
        /base64|b64/.test(readFileSync(join(folder, 'nodes', file), 'utf8')),
    );
    expect(withText).toEqual([]);
  });
});
