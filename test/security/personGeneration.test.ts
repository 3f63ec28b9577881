import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { testedPackages } from '../../gateway/providers/src/aiSdk/dialects.ts';
import {
  closeRoutes,
  imageRequest,
  never,
  openRoute,
  videoRequest,
} from '../../gateway/providers/test/routeFixtures.ts';
import { json, startTinyServer, type TinyServer } from '../../gateway/providers/test/tinyServer.ts';

/*
 * The attack: a real person's likeness is made without the declarations of real-person mode, because
 * the provider's own switch for people stands open all the time. One table lists every shipped provider, with
 * the fields that reach it without the mode and with it.
 */

const sdk = (name: string, factory: string) => ({
  kind: 'ai-sdk',
  package: `@ai-sdk/${name}`,
  factory,
});

interface Row {
  provider: object;
  origin: string;
  model: string;
  type?: 'image';
  /** The operator's options for real-person mode, as the package takes them. */
  realPersonOptions: object;
  /** The part of them that must be in a request with the mode, and in no other. */
  sent: RegExp;
  /** The value that refuses people in every other request, where the provider has one. */
  off?: RegExp;
}

const rows: Record<string, Row> = {
  ark: {
    provider: { kind: 'model-ark', baseURL: 'https://ark.example/api/v3' },
    origin: 'https://ark.example',
    model: 'seedance-1-5-pro-251215',
    realPersonOptions: { likeness: 'cleared' },
    sent: /"likeness":"cleared"/,
  },
  fal: {
    provider: sdk('fal', 'createFal'),
    origin: 'https://queue.fal.run',
    model: 'fal-ai/x/text-to-video',
    realPersonOptions: { likeness: 'cleared' },
    sent: /"likeness":"cleared"/,
  },
  'google, Veo 2': {
    provider: sdk('google', 'createGoogle'),
    origin: 'https://generativelanguage.googleapis.com',
    model: 'veo-2.0-generate-001',
    realPersonOptions: { personGeneration: 'allow_adult' },
    sent: /"personGeneration":"allow_adult"/,
    off: /"personGeneration":"dont_allow"/,
  },
  'google, Veo 3': {
    provider: sdk('google', 'createGoogle'),
    origin: 'https://generativelanguage.googleapis.com',
    model: 'veo-3.1-generate-preview',
    realPersonOptions: { personGeneration: 'allow_adult' },
    sent: /"personGeneration":"allow_adult"/,
  },
  'google-vertex': {
    provider: sdk('google-vertex', 'createGoogleVertex'),
    origin: 'https://aiplatform.googleapis.com',
    model: 'veo-3.1-generate-001',
    realPersonOptions: { personGeneration: 'allow_adult' },
    sent: /"personGeneration":"allow_adult"/,
  },
  replicate: {
    provider: sdk('replicate', 'createReplicate'),
    origin: 'https://api.replicate.com',
    model: 'bytedance/seedance-2.0',
    realPersonOptions: { likeness: 'cleared' },
    sent: /"likeness":"cleared"/,
  },
  alibaba: {
    provider: sdk('alibaba', 'createAlibaba'),
    origin: 'https://dashscope-intl.aliyuncs.com',
    model: 'wan2.6-t2v',
    realPersonOptions: { promptExtend: true },
    sent: /"prompt_extend":true/,
  },
  xai: {
    provider: sdk('xai', 'createXai'),
    origin: 'https://api.x.ai',
    model: 'grok-imagine-video',
    realPersonOptions: { likeness: 'cleared' },
    sent: /"likeness":"cleared"/,
  },
  openai: {
    provider: sdk('openai', 'createOpenAI'),
    origin: 'https://api.openai.com',
    model: 'gpt-image-1',
    type: 'image',
    realPersonOptions: { moderation: 'low', user: 'likeness' },
    sent: /likeness|"moderation":"low"/,
  },
  'black-forest-labs': {
    provider: sdk('black-forest-labs', 'createBlackForestLabs'),
    origin: 'https://api.bfl.ai',
    model: 'flux-2-pro',
    type: 'image',
    realPersonOptions: { safetyTolerance: 6 },
    sent: /safety_tolerance/,
  },
  fireworks: {
    provider: sdk('fireworks', 'createFireworks'),
    origin: 'https://api.fireworks.ai',
    model: 'accounts/fireworks/models/flux-1-dev-fp8',
    type: 'image',
    realPersonOptions: { likeness: 'cleared' },
    sent: /likeness/,
  },
};

let server: TinyServer;
beforeAll(async () => {
  server = await startTinyServer((_got, response) =>
    json(response, 400, { error: { message: 'no' } }),
  );
});
afterAll(async () => {
  await closeRoutes();
  await server.close();
});

/** Request that reaches the provider, which refuses it. */
async function sent(row: Row, realPerson: boolean): Promise<string> {
  const { route } = await openRoute(
    {
      ...row.provider,
      allowPrivateNetwork: true,
      mediaHosts: ['files.example'],
      rewriteOrigins: { [row.origin]: server.origin },
    },
    row.model,
    { type: row.type ?? 'video', route: { realPersonOptions: row.realPersonOptions } },
  );
  server.got.length = 0;
  const request =
    row.type === 'image' ? imageRequest() : videoRequest({ real_person_mode: realPerson });
  await route.submit(request, never);
  expect(server.got.map(({ method }) => method)).toEqual(['POST']);
  return JSON.stringify(server.got[0]?.body);
}

/** Words by which providers let people in. */
const permission = /allow_(all|adult)|person_?generation"?:"?(?!dont_allow)\w/i;

describe('people at the provider', () => {
  test('the table has every shipped provider', () => {
    const names = Object.values(rows).flatMap(({ provider }) =>
      'package' in provider ? [provider.package] : [],
    );
    expect(Object.keys(testedPackages).filter((name) => !names.includes(name))).toEqual([]);
  });

  test.each(Object.entries(rows))(
    '%s: disables people without real-person mode',
    async (_, row) => {
      const body = await sent(row, false);
      expect(body).not.toMatch(row.sent);
      expect(body).not.toMatch(permission);
      if (row.off) expect(body).toMatch(row.off);
    },
  );

  const videos = Object.entries(rows).filter(([, { type }]) => type !== 'image');
  test.each(videos)(
    '%s: allows people as agreed by the operator in real-person mode',
    async (_, row) => {
      const body = await sent(row, true);
      expect(body).toMatch(row.sent);
      if (row.off) expect(body).not.toMatch(row.off);
    },
  );
});
