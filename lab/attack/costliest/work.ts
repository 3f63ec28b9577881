import { randomUUID } from 'node:crypto';
import type { CostliestRequest, CostliestRequests } from '../rows.ts';
import { emptyParts, leaveUnread, sendHugeUploads, sendSlowUploads } from '../sockets.ts';
import { longPrompt } from './api.ts';

const selected: CostliestRequest = { query: (_, { generationIds }) => ({ id: generationIds }) };
const chosen: CostliestRequest = { form: (_, { generationIds }) => ({ id: generationIds }) };

/** Responses of a page that no one reads. */
const nobodyReads = (pathOf: (ids: readonly string[]) => string): CostliestRequest => ({
  what: '10 connections read nothing',
  callers: ['customer'],
  play: (target, forMs) => {
    const [{ cookies, generationIds }] = target.people;
    const headers = { cookie: cookies.customer };
    return leaveUnread(target, forMs, {
      path: pathOf(generationIds),
      headers,
      connections: 10,
      times: 1,
    });
  },
});

const studioFields = { model: 'alpha-2.0-fast', mode: 'text-to-video' };

/** Studio, history, results and credits. */
export const workRequests: CostliestRequests = {
  'GET /studio': [
    {},
    { what: 'four accounts, 8 connections', callers: ['customer'], connections: 8, accounts: 4 },
    { what: 'four accounts, 32 connections', callers: ['customer'], connections: 32, accounts: 4 },
    {
      what: 'with an opened result and a frame',
      callers: ['customer'],
      query: (_, { generationIds: [newest = ''] }) => ({ generation: newest, seed: newest }),
    },
  ],
  'POST /studio': [
    {
      what: '120 KB with 190 inputs',
      form: () => ({
        ...studioFields,
        do: 'update',
        prompt: 'x'.repeat(4_900),
        ...Object.fromEntries(
          Array.from({ length: 190 }, (_, index) => [
            `image_${index}`,
            `https://a.example/${'y'.repeat(500)}`,
          ]),
        ),
      }),
      connections: 8,
    },
    {
      what: 'a list of 200 prompts',
      callers: ['customer'],
      form: () => ({
        ...studioFields,
        do: 'update',
        times: 'lines',
        prompt: Array.from({ length: 200 }, (_, index) => `boat ${index}`).join('\n'),
      }),
      connections: 8,
    },
    {
      what: 'creates',
      callers: ['customer'],
      form: () => ({
        ...studioFields,
        do: 'create',
        prompt: longPrompt,
        form_key: randomUUID(),
        shown_credits: '1',
      }),
      responses: [200, 303, 400, 402, 409],
    },
    {
      what: 'parts without an end',
      callers: ['anonymous'],
      play: emptyParts,
      responses: [303, 400, 403, 413],
    },
    {
      what: 'two files each, a byte a second',
      callers: ['customer'],
      play: sendSlowUploads,
      watchesUploads: true,
    },
    {
      what: 'a WebP of 1.6 KB with 6,300 x 6,300 pixels',
      callers: ['customer'],
      play: sendHugeUploads,
      responses: [200, 400],
      watchesUploads: true,
    },
  ],
  'GET /studio/uploads/:id': { callers: ['customer'] },
  'POST /generations/:id/again': {
    form: () => ({ form_key: randomUUID(), shown_credits: '1' }),
    responses: [200, 303, 400, 402, 409],
  },
  'POST /generations/:id/frame': {
    form: () => ({ which: 'last' }),
    responses: [200, 303, 400, 409, 422],
    connections: 8,
  },
  'GET /history': [
    { query: (_, { oldestId }) => ({ before: oldestId }) },
    { what: 'words that are nowhere', query: () => ({ q: `${'a'.repeat(199)}b` }), connections: 4 },
    {
      what: 'a model that nobody used, four accounts',
      callers: ['customer'],
      query: () => ({ model: 'zzzz' }),
      connections: 8,
      accounts: 4,
    },
    {
      what: 'every filter',
      callers: ['customer'],
      query: (_, { keyId }) => ({ state: 'failed', model: 'zzzz', by: keyId, in: 'favourites' }),
      connections: 8,
    },
  ],
  'POST /history/favourites': { ...chosen, query: () => ({ to: 'yes' }) },
  'POST /history/collections': {
    form: (_, { generationIds }) => ({
      id: generationIds,
      name: `c${Math.trunc(performance.now()) % 90}`,
    }),
    connections: 8,
  },
  'POST /collections/:id/take-out': { ...chosen, callers: ['customer'] },
  'POST /collections/:id/name': { form: () => ({ name: randomUUID() }), callers: ['customer'] },
  'POST /collections/:id/delete': {
    params: () => ({ id: 'col_00000000000000000000000000' }),
    responses: [200, 303, 404],
  },
  'GET /history/files.zip': [
    { ...selected, connections: 8 },
    { what: 'a whole list', query: () => ({ all: '' }), connections: 8 },
    nobodyReads((ids) => `/history/files.zip?${ids.map((id) => `id=${id}`).join('&')}`),
  ],
  'GET /history/compare': { query: (_, { generationIds }) => ({ id: generationIds.slice(0, 4) }) },
  'GET /history/delete': selected,
  'POST /history/delete': {
    form: () => ({ id: Array.from({ length: 60 }, () => 'gen_00000000000000000000000000') }),
  },
  'GET /generations/:id': {},
  'GET /generations/:id/progress': {},
  'GET /generations/:id/files.zip': [
    {},
    nobodyReads(([id = '']) => `/generations/${id}/files.zip`),
  ],
  'POST /generations/:id/cancel': { responses: [200, 303, 400, 403, 409] },
  'GET /history/links': { callers: ['customer'] },
  'GET /generations/:id/share': { callers: ['customer'] },
  'POST /generations/:id/share': {
    form: () => ({ days: '30', prompt: 'yes' }),
    callers: ['customer'],
  },
  'POST /generations/:id/share/revoke': {
    callers: ['customer'],
    params: (_, { oldestId }) => ({ id: oldestId }),
  },
  'GET /credits': [
    {},
    { what: 'four accounts', callers: ['customer'], connections: 8, accounts: 4 },
    { what: 'the deepest page', callers: ['customer'], query: () => ({ before: '30' }) },
    { what: 'a search', callers: ['customer'], query: () => ({ day: '2026-11-01', amount: '1' }) },
  ],
  'POST /credits/ask': { form: () => ({ message: 'x'.repeat(100_000) }) },
  'GET /credits/ledger.csv': [{ connections: 4 }, nobodyReads(() => '/credits/ledger.csv')],
};
