import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CreateBucketCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type S3Server, startS3Server } from '../s3/s3Server.ts';
import type { N8nWorld } from './support/n8nWorld.ts';
import { items, useN8n } from './support/useN8n.ts';
import { readExamples } from './support/workflows.ts';

/* The examples that take files, sheets and answers of people, in real n8n. */

interface Example {
  id: string;
  nodes: { name: string; type: string; typeVersion: number; parameters: object }[];
}

/** A picture of one pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const offline = 'framegateOffline01';
let s3: S3Server;
let client: S3Client;

const world = useN8n(
  [],
  async () => {
    s3 = await startS3Server();
    const { endpoint, region, credentials } = s3.options;
    const place = { endpoint: String(endpoint), region, forcePathStyle: true };
    client = new S3Client({ ...place, ...(credentials && { credentials }) });
    await client.send(new CreateBucketCommand({ Bucket: 'inputs' }));
    return [
      {
        id: 's3Storage00000001',
        name: 'S3 storage',
        type: 's3',
        data: { ...place, ...credentials },
      },
    ];
  },
  async ({ n8n }) => {
    await writeFile(join(n8n.home, '.n8n-files/picture.png'), picture);
    await n8n.addWorkflow(withoutGoogle(await example('framegateYouTube01')));
  },
);
afterAll(async () => {
  client.destroy();
  await s3.close();
});
let { framegate, n8n } = {} as N8nWorld;
beforeAll(() => {
  ({ framegate, n8n } = world());
});

const bodies = () =>
  framegate.line.seen
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => JSON.parse(body) as { inputs?: { url: string }[] });

describe('a spreadsheet', () => {
  test('of prompts becomes a spreadsheet of addresses and reasons; a second run pays nothing', async () => {
    const prompts = [
      'id,prompt',
      'boat,A paper boat',
      'none,',
      'fern,A fern',
      'lamp,"A lamp, lit"',
    ];
    await writeFile(join(n8n.home, '.n8n-files/prompts.csv'), prompts.join('\n'));
    const run = async () => {
      expect(await n8n.runToEnd('framegateSheetImgs')).toMatchObject({ status: 'success' });
      const csv = await readFile(join(n8n.home, '.n8n-files/images.csv'), 'utf8');
      return csv
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.split(','));
    };
    const first = await run();
    expect(first.map(([id, , url, , error]) => [id, url !== '', error])).toEqual([
      ['boat', true, ''],
      ['fern', true, ''],
      ['lamp', true, ''],
      ['none', false, 'Prompt has no value'],
    ]);
    const made = (rows: string[][]) => rows.map(([, generation]) => generation);
    expect(made(await run())).toEqual(made(first));
  });
});

describe('approval', () => {
  const decide = async (decision: string) => {
    const id = await n8n.run('framegateApproval1');
    const { json } = items(await n8n.until(id, 'waiting'), 'Question')[0] ?? {};
    expect(json?.['text']).toMatch(/^This video costs 12 credits: A lighthouse/);
    expect(bodies()).toEqual([]);
    const { pathname, search } = new URL(String(json?.['link']));
    const form = new FormData();
    form.set('field-0', decision);
    const response = await fetch(n8n.origin + pathname + search, { method: 'POST', body: form });
    expect(response.status).toBe(200);
    return n8n.until(id, 'success');
  };

  test('is asked for with the price, and the video is created after it', async () => {
    const execution = await decide('Create');
    expect(items(execution, 'Create video')[0]).toMatchObject({
      json: { status: 'completed', cost_credits: 12 },
      binary: { data: { mimeType: 'video/mp4' } },
    });
  });

  test('that is declined creates nothing', async () => {
    expect((await decide('Decline')).runs).not.toHaveProperty('Create video');
    expect(bodies()).toEqual([]);
  });
});

test('a video begins with the image made before it', async () => {
  const execution = await n8n.runToEnd('framegateImgToVid1');
  expect(execution).toMatchObject({ status: 'success' });
  const [image] = items(execution, 'Create image');
  expect(
    bodies()
      .at(-1)
      ?.inputs?.map(({ url }) => url),
  ).toEqual([image?.json['url']]);
  expect(items(execution, 'Create video')[0]?.json).toMatchObject({ status: 'completed' });
});

test('YouTube and Drive get the file and the title', async () => {
  const execution = await n8n.runToEnd(offline);
  expect(execution).toMatchObject({ status: 'success' });
  for (const name of ['Upload to YouTube', 'Upload to Drive']) {
    expect(items(execution, name)[0]).toMatchObject({
      json: { status: 'completed' },
      binary: { data: { mimeType: 'video/mp4' } },
    });
  }
});

test('a file is uploaded to the bucket, and its address is the input', async () => {
  const execution = await n8n.runToEnd('framegateS3Input01');
  // No one owns the example's host, so the gateway refuses it.
  expect(execution.error?.message).toBe(
    'The host of an input URL is not approved for this API key',
  );
  const [url = ''] =
    bodies()
      .at(-1)
      ?.inputs?.map((input) => input.url) ?? [];
  const [, Key = ''] = /^https:\/\/files\.example\.com\/(\d+-\w+\.png)$/.exec(url) ?? [];
  const { Body } = await client.send(new GetObjectCommand({ Bucket: 'inputs', Key }));
  expect(Buffer.from((await Body?.transformToByteArray()) ?? [])).toEqual(picture);
});

async function example(id: string): Promise<Example> {
  const found = (await readExamples()).find((each) => each.id === id);
  return found as unknown as Example;
}

/** The example with nodes that do nothing in place of those that need an account at Google. */
function withoutGoogle(from: Example) {
  const nodes = from.nodes.map((node) =>
    /youTube|googleDrive/.test(node.type)
      ? { ...node, type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} }
      : node,
  );
  return { ...from, id: offline, nodes };
}
