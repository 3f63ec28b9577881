import { beforeAll, expect, test } from '@jest/globals';
import { catalogue, type ErrorCode, errorCodes, inputTypes } from '@framegate/contract';
import {
  describeWrongFile as describeForApi,
  type FileKind,
  fileKinds,
} from '@framegate/contract/fileKinds';
import type { Generation } from '../../gateway/src/domain/generations/generation.ts';
import { Refusal } from '../../gateway/src/domain/refusal.ts';
import { languages } from '../../gateway/src/domain/text/language.ts';
import { describeRefusal, describeWrongFile } from '../../gateway/src/texts/describeRefusal.ts';
import { inLanguage } from '../../gateway/src/texts/language.ts';
import { catalogueOf } from '../../gateway/src/texts/text.ts';
import { acceptedBy, store, workGeneration } from '../support/workWorld.ts';
import { addFinished } from './support/addFinished.ts';
import { sent, useStudio } from './support/useStudio.ts';

/* A German browser reads no English sentence in the studio, the history and behind a link. */

const studio = useStudio();
const seen: Record<string, string> = {};

const video = {
  type: 'video',
  model: 'alpha-2.0-fast',
  mode: 'text-to-video',
  parameters: {
    duration_seconds: 5,
    resolution: '720p',
    aspect_ratio: '16:9',
    generate_audio: true,
    seed: 7,
  } as Generation['parameters'],
} as const satisfies Partial<Generation>;

beforeAll(async () => {
  const { gateway, visitor, accountId } = studio();
  const nowMs = gateway.clock.now();
  const add = async (name: string, more: Partial<Generation>) => {
    const id = gateway.random.newId('gen');
    seen[name] = id;
    await store(gateway, [
      workGeneration(id, accountId, nowMs, {
        ...video,
        channel: 'pc',
        prompt: 'Ein Boot',
        ...more,
      }),
    ]);
  };
  const ended = { status: 'failed', step: 'ended', endedAt: nowMs } as const;
  await add('failed', { ...ended, failure: { code: 'generation_failed' } });
  await add('cancelled', { ...ended, failure: { code: 'capacity_exceeded', wasCancelled: true } });
  await add('queued', { status: 'queued', step: 'waiting' });
  await add('parked', { status: 'queued', step: 'parked' });
  const attempts = [acceptedBy('nobody', nowMs)];
  await add('running', { status: 'processing', step: 'submitted', startedAt: nowMs, attempts });
  seen['images'] = await addFinished(gateway, accountId, { prompt: 'Ein Haus' });
  seen['video'] = await addFinished(gateway, accountId, { ...video, prompt: 'Ein Weg' });
  await visitor.get('/history');
  const name = 'Am See';
  await visitor.post('/history/collections', { id: seen['images'], name, collection: '' });
  await visitor.get(`/generations/${seen['images']}/share`);
  const shared = await visitor.post(`/generations/${seen['images']}/share`, { prompt: 'yes' });
  seen['link'] = /value="[^"]*(\/shared\/[\w-]{43})"/.exec(shared.text)?.[1] ?? '';
});

/** Words that are equal in both languages, and the customer's own words. */
const same = new Set([
  ...[
    'Esc',
    'Prompt',
    'Video',
    'Studio',
    'Credits',
    'Details',
    'Variation',
    'Position',
    'Link',
    'Name',
    'Status',
  ],
  ...[
    'Studio · Framegate',
    'Seed (optional)',
    'https://',
    'Seed',
    'Format',
    'Framegate',
    'Ein Boot',
    'Ein Haus',
    'Ein Weg',
    'Am See',
  ],
  ...['PNG', 'JPEG', 'WEBP', 'curl', 'Python', 'JavaScript', 'TypeScript', 'n8n', 'MCP'],
  ...['Zapier', 'Node-RED', 'Activepieces'],
  ...catalogue.map(({ displayName }) => displayName),
]);
const isFact = (text: string) =>
  /^[\d\s.,:·×%a-z-]{1,12}$/.test(text) || /^(gen|req)_/.test(text) || /\.jpg$/.test(text);

/** The words that people read and hear on a page: text, names, and texts of the script. */
function wordsOn(page: string): string[] {
  const plain = page.replace(/<(script|style|pre|code)\b[^>]*>.*?<\/\1>|<!--.*?-->/gs, '\0');
  const named = [...plain.matchAll(/\b(?:aria-label|title|placeholder|alt|label)="([^"]*)"/g)];
  const scripted = [
    ...[...page.matchAll(/id="texts">(\{.*?\})</g)].map(([, json]) => json),
    ...[...page.matchAll(/data-(?:price|state)="([^"]*)"/g)].map(([, json]) => json),
  ].flatMap((json) => [...(json ?? '').replaceAll('&quot;', '"').matchAll(/:"([^"]* [^"]*)"/g)]);
  return [
    ...plain.replace(/<[^>]*>/g, '\0').split('\0'),
    ...named.map(([, text = '']) => text),
    ...scripted.map(([, text = '']) => text),
  ]
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => /\p{L}{3}/u.test(text) && !same.has(text) && !isFact(text));
}

/** Texts that a page has in both languages. */
async function englishOn(path: string): Promise<string[]> {
  const { visitor } = studio();
  const [english, german] = await Promise.all(
    ['en', 'de'].map(async (language) => {
      const page = await visitor.send(path, { headers: { 'accept-language': language } });
      expect([path, /<html lang="(\w+)"/.exec(page.text)?.[1]]).toEqual([path, language]);
      return wordsOn(page.text);
    }),
  );
  const known = new Set(english);
  return [...new Set(german)].filter((text) => known.has(text));
}

test.each([
  ['studio', () => '/studio'],
  ['studio with inputs', () => `/studio?frame=${seen['images']}`],
  ['studio of a generation', () => `/studio?like=${seen['video']}&seed=same`],
  ['history', () => '/history'],
  ['favourites', () => '/history?in=favourites&by=api'],
  ['comparison', () => `/history/compare?id=${seen['images']}&id=${seen['video']}`],
  ['selection that cannot be compared', () => `/history?id=${seen['images']}`],
  ['question before deleting', () => `/history/delete?id=${seen['images']}&id=${seen['video']}`],
  ['running', () => `/generations/${seen['running']}`],
  ['queued', () => `/generations/${seen['queued']}`],
  ['parked', () => `/generations/${seen['parked']}`],
  ['failed', () => `/generations/${seen['failed']}`],
  ['cancelled', () => `/generations/${seen['cancelled']}`],
  ['images', () => `/generations/${seen['images']}`],
  ['video', () => `/generations/${seen['video']}`],
  ['sharing', () => `/generations/${seen['images']}/share`],
  ['links', () => '/history/links'],
  ['behind a link', () => seen['link'] ?? ''],
  ['behind a wrong link', () => `/shared/${'x'.repeat(43)}`],
  ['unknown generation', () => '/generations/gen_01arz3ndektsv4rrffq69g5fav'],
])('a German browser reads no English on the page: %s', async (_name, path) => {
  expect(await englishOn(path())).toEqual([]);
});

const inGerman = (fields: Record<string, string>) => {
  const { visitor } = studio();
  const body = new URLSearchParams({ ...fields });
  const headers = { 'sec-fetch-site': 'same-origin', 'accept-language': 'de' };
  return visitor.send('/studio', { method: 'POST', body, headers });
};

test.each([
  ['no prompt', { prompt: ' ' }, 'Schreibe zuerst einen Prompt.'],
  ['a long video', { 'parameters.duration_seconds': '99' }, 'Muss eine ganze Zahl von 4 bis 15'],
  ['a host', { first_frame: 'https://x.example/a.png' }, 'x.example ist für keinen deiner'],
  ['an address', { first_frame: 'http://10.0.0.1/a' }, 'Diese Adresse kann nicht verwendet'],
  ['no frame', { mode: 'image-to-video' }, 'Pflichtfeld.'],
])('a refusal is in German: %s', async (_name, fields, words) => {
  const { visitor } = studio();
  const form = await visitor.get('/studio');
  const mode = 'first_frame' in fields ? { mode: 'image-to-video' } : {};
  const all = { model: 'alpha-2.0-pro', prompt: 'Ein Boot', ...mode, ...fields };
  const token = { form_token: form.field('form_token') };
  const priced = await inGerman({ ...token, do: 'update', ...all });
  const refused = await inGerman({ ...token, ...sent(priced), do: 'create', ...all });
  expect([refused.status, refused.text]).toEqual([
    'first_frame' in fields && words.startsWith('x.') ? 403 : 400,
    expect.stringContaining(words),
  ]);
});

/** Words for programs, which people on a page cannot understand. */
const ofPrograms = /Retry-After|Idempotency-Key|GET \/|\/v1|JSON|KiB|\bdetails\b|compliance\./;

test.each(languages)('in %s, no refusal or failure on a page uses words for programs', (each) => {
  // Operations of providers are JSON, which only staff enter.
  const texts = Object.entries(catalogueOf(each)).filter(
    ([key]) => /^(refus|fail)/.test(key) && !/^refusals\.operation_/.test(key),
  );
  expect(texts.filter(([, words]) => ofPrograms.test(words))).toEqual([]);
  const met = (Object.keys(errorCodes) as ErrorCode[]).filter(
    (code) => !/^invalid_json|^idempotency_|^price_|^method_/.test(code),
  );
  const said = (code: ErrorCode, message: string) =>
    inLanguage(each, () => describeRefusal(new Refusal(code, { message })));
  const usual = met.map((code) => said(code, errorCodes[code].message));
  expect(usual.filter((words) => ofPrograms.test(words) || words.includes('API key is'))).toEqual(
    [],
  );
  // Figures of the API are in English, and times to wait are for programs; pages write in the person's language.
  const byPages = ['invalid_request', 'body_too_large', 'account_suspended'];
  const keepsWords = (code: ErrorCode) =>
    each === 'en' ? !errorCodes[code].retryable : byPages.includes(code);
  const kept = met.filter((code) => said(code, 'It is 7.') === 'It is 7.');
  expect(kept).toEqual(met.filter(keepsWords));
});

test('English texts of wrong files are those of the API', () => {
  for (const actualKind of Object.keys(fileKinds) as FileKind[]) {
    for (const expected of inputTypes) {
      const said = inLanguage('en', () => describeWrongFile({ actualKind, expected }));
      expect(said).toBe(describeForApi({ actualKind, expected }));
    }
  }
});
