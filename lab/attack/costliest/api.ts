import { randomBytes } from 'node:crypto';
import { catalogue } from '@framegate/contract';
import { formatApiKey } from '../../../gateway/src/domain/accounts/apiKey.ts';
import { mediaPurposes } from '../../../gateway/src/domain/generations/mediaUrl.ts';
import { image, imageInput, video } from '../../../test/support/bodies.ts';
import { createShot } from '../../bench/load.ts';
import type { CostliestRequest, CostliestRequests } from '../rows.ts';
import { leaveUnread, sendHalfRequests, sendSlowHeaders } from '../sockets.ts';
import type { hostileFiles, Target } from '../target.ts';

const names = JSON.stringify(
  Object.fromEntries(Array.from({ length: 26_000 }, (_, index) => [index.toString(36), 0])),
);
const emptyObjects = `[${'{},'.repeat(86_000)}{}]`;

/** The longest prompt that every model accepts. */
export const longPrompt = 'a'.repeat(
  Math.min(...catalogue.map(({ maxPromptLength }) => maxPromptLength)),
);

const call = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });
const mcp = { accept: 'application/json, text/event-stream' };

/** At most ten creates, whose inputs are one hostile file several times, in addition to a good picture. */
async function createWith(
  { origins, people: [{ apiKey }], files }: Target,
  forMs: number,
  type: 'video' | 'audio',
  file: keyof typeof hostileFiles,
  times: number,
): Promise<Record<string, number>> {
  const hostile = { type, url: files[file], role: 'reference' };
  const body = video({
    model: 'alpha-2.0-pro',
    mode: 'multimodal-to-video',
    inputs: [
      imageInput(files.picture, { role: 'reference' }),
      ...Array.from({ length: times }, () => hostile),
    ],
  });
  const statuses: Record<string, number> = {};
  const until = performance.now() + forMs;
  for (let creates = 0; creates < 10; creates += 1) {
    const shot = createShot(apiKey, '/v1/videos', body);
    const { status } = await fetch(origins.gateway + shot.path, shot);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (performance.now() > until) break;
  }
  return statuses;
}

/** The file of a purpose, which any caller reads in full, and its slowest readers. */
const mediaRequests = (purpose: string): CostliestRequest[] => [
  { params: ({ mediaPaths }) => ({ file: mediaPaths[purpose] ?? '' }) },
  {
    what: '20 connections read nothing',
    play: (target, forMs) =>
      leaveUnread(target, forMs, {
        path: `/media/${purpose}/${target.mediaPaths[purpose] ?? ''}`,
        connections: 20,
        times: 20,
      }),
  },
];

/** The API, MCP, files and health. */
export const apiRequests: CostliestRequests = {
  'POST /v1/videos': [
    { json: () => video({ model: 'alpha-2.0-fast', prompt: longPrompt }) },
    {
      what: 'three sounds that are slow to read',
      responses: [202, 400, 422],
      play: (target, forMs) => createWith(target, forMs, 'audio', 'sound', 3),
    },
    {
      what: 'a WebM of 400,000 clusters',
      responses: [202, 400, 422],
      play: (target, forMs) => createWith(target, forMs, 'video', 'clusters', 1),
    },
    {
      what: 'an MP4 of 3,000 unknown codecs',
      responses: [202, 400, 422],
      play: (target, forMs) => createWith(target, forMs, 'video', 'codecs', 1),
    },
  ],
  'POST /v1/images': [
    { json: () => image({ prompt: longPrompt }) },
    {
      what: 'one create repeated',
      json: () => image({ prompt: 'An attack' }),
      headers: () => ({ 'idempotency-key': 'the-same' }),
    },
    { what: '26,000 names', json: () => names, connections: 4, responses: [400] },
    { what: '1 MB that is no JSON', json: () => '['.repeat(1_000_000), responses: [400, 413] },
    { what: 'half of it, 500 connections', callers: ['anonymous'], play: sendHalfRequests },
  ],
  'GET /v1/generations/:id': {},
  'GET /v1/models': {},
  'GET /v1/credits/balance': [
    {},
    {
      what: 'guessed keys',
      callers: ['anonymous'],
      headers: () => ({ authorization: `Bearer ${formatApiKey(randomBytes(64))}` }),
      responses: [401],
    },
  ],
  'GET /v1/openapi.json': [
    {},
    {
      what: '300 connections ask 150 times and read nothing',
      play: (target, forMs) =>
        leaveUnread(target, forMs, { path: '/v1/openapi.json', connections: 300, times: 150 }),
    },
  ],
  'POST /mcp': [
    {
      what: 'begins',
      json: () =>
        call('initialize', {
          protocolVersion: '2025-06-18',
          capabilities: {},
          clientInfo: { name: 'attack', version: '1' },
        }),
      headers: () => mcp,
    },
    { what: 'tools', json: () => call('tools/list', {}), headers: () => mcp },
    {
      what: 'a tool that does not exist with 258 KB',
      json: () =>
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing","arguments":{"a":${emptyObjects}}}}`,
      headers: () => mcp,
      connections: 4,
      responses: [200, 400],
    },
    {
      what: 'waits',
      json: (_, { oldestId }) =>
        call('tools/call', { name: 'wait_for_generation', arguments: { id: oldestId } }),
      headers: () => mcp,
      connections: 100,
    },
  ],
  'GET /healthz': [
    {},
    { what: 'a byte of a header a second, 200 connections', play: sendSlowHeaders },
  ],
  'GET /readyz': {},
  'GET /metrics': { connections: 4 },
  ...Object.fromEntries(
    mediaPurposes.map((purpose) => [`GET /media/${purpose}/:file`, mediaRequests(purpose)]),
  ),
};
