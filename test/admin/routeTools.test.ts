import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../security/temporaryFolder.ts';
import { runAdminHere } from '../support/runAdminHere.ts';
import type { Ended } from '../support/runNode.ts';

/* Commands about ROUTES_FILE, which need neither a database nor a provider. */

const folder = temporaryFolder();

async function admin(command: string[], file: string | object): Promise<Ended> {
  const path = join(folder(), 'routes.json');
  await writeFile(path, typeof file === 'string' ? file : JSON.stringify(file));
  return runAdminHere(command, { ROUTES_FILE: path, KEY: 'secret-key' });
}

const fal = {
  kind: 'ai-sdk',
  package: '@ai-sdk/fal',
  factory: 'createFal',
  apiKeyEnv: 'KEY',
  mediaHosts: ['*.fal.media'],
};
const openai = { kind: 'ai-sdk', package: '@ai-sdk/openai', factory: 'createOpenAI' };
const ark = {
  kind: 'model-ark',
  baseURL: 'https://ark.example/api/v3',
  apiKeyEnv: 'KEY',
  mediaHosts: ['files.example'],
};

test('routes show prints the request of each route, and sends none', async () => {
  const file = {
    providers: { fal, ark },
    models: {
      'alpha-2.0-fast': [
        { provider: 'fal', model: 'bytedance/seedance-2.0/text-to-video', cost: perSecond(0.2) },
        { provider: 'ark', model: 'dreamina-seedance-2-0-fast' },
        { provider: 'fal', model: 'bytedance/seedance-2.0/image-to-video' },
      ],
    },
  };
  const parameters = { resolution: '720p', duration_seconds: 6, aspect_ratio: '9:16' };
  const command = ['routes', 'show', '--model', 'alpha-2.0-fast', '--mode', 'text-to-video'];
  const ended = await admin([...command, '--params', JSON.stringify(parameters)], file);
  expect(ended).toMatchObject({ status: 0 });
  expect(ended.stdout).not.toContain('secret-key');
  expect(JSON.parse(ended.stdout)).toMatchObject({
    model: 'alpha-2.0-fast',
    parameters,
    routes: [
      {
        covers: true,
        cost: '1.20 USD',
        request: {
          method: 'POST',
          url: 'https://queue.fal.run/bytedance/seedance-2.0/text-to-video',
          body: { resolution: '720p', duration: '6', aspect_ratio: '9:16' },
        },
      },
      {
        covers: true,
        request: {
          url: 'https://ark.example/api/v3/contents/generations/tasks',
          body: { model: 'dreamina-seedance-2-0-fast', ratio: '9:16', duration: 6 },
        },
      },
      { covers: false },
    ],
  });

  const wrong = await admin(
    [...command.slice(0, 4), '--params', '{"resolution":"8k","duration_seconds":99}'],
    file,
  );
  expect(wrong.status).toBe(1);
  for (const part of ['resolution', 'duration_seconds']) expect(wrong.stderr).toContain(part);
});

test('routes show and check name a promise that a package would not send', async () => {
  const does = { modes: ['text-to-video'], seconds: [5], resolutions: ['720p', '1080p'] };
  const route = {
    provider: 'w',
    model: 'happyhorse-1.1-t2v',
    does: { ...does, aspectRatios: ['16:9'] },
    send: { resolution: '@resolution', ratio: '@aspectRatio' },
  };
  const file = {
    providers: {
      w: { kind: 'ai-sdk', package: '@ai-sdk/alibaba', factory: 'createAlibaba', ...rest },
    },
    models: { 'alpha-2.5': [route] },
  };
  const shown = await admin(['routes', 'show', '--model', 'alpha-2.5'], file);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    routes: [{ covers: false, not_sent_on: ['@aspectRatio (send.ratio)'] }],
  });
  // Every mode is checked: a fault in the second one is also found.
  does.modes.push('image-to-video');
  const checked = await admin(['routes', 'check'], file);
  for (const found of [
    '"mode":"text-to-video","notSentOn":["@aspectRatio (send.ratio)"]',
    '"mode":"image-to-video","notSentOn":["@aspectRatio (send.ratio)","@image (send.firstFrame)"]',
  ]) {
    expect(checked.stderr).toContain(`"providerModel":"happyhorse-1.1-t2v",${found}`);
  }
});
const rest = { apiKeyEnv: 'KEY', mediaHosts: ['files.example'] };

test('routes check finds a last frame that is dropped although the first one is sent', async () => {
  const alibaba = { kind: 'ai-sdk', package: '@ai-sdk/alibaba', factory: 'createAlibaba', ...rest };
  const lost = { provider: 'w', model: 'wan2.6-i2v', does: { lastFrame: true } };
  const file = { providers: { w: alibaba }, models: { 'alpha-2.5': [lost] } };
  const checked = await admin(['routes', 'check'], file);
  expect(checked).toMatchObject({ status: 0 });
  expect(checked.stderr).toContain('"notSentOn":["@frameImages (send.lastFrame)"]');
});

const perSecond = (amount: number) => ({ currency: 'USD', perSecond: amount });

test('routes check reports every typing error that startup would ignore', async () => {
  const ended = await admin(['routes', 'check'], {
    providers: {
      openai: { ...openai, apiKeyEnv: 'KEY', options: { baseURl: 'https://proxy.example/v1' } },
      fal,
    },
    models: {
      'image-a-2': [
        {
          provider: 'openai',
          model: 'gpt-imgae-2',
          does: { resolutions: ['1k'], aspectRatios: ['1:1'] },
          options: { qualty: 'high', quality: 'high' },
        },
      ],
    },
  });
  expect(ended).toMatchObject({ status: 0 });
  for (const part of [
    `options.baseURl is not an option of the package (did you mean "baseURL"?)`,
    '"meant":"gpt-image-2*"',
    '"options":["qualty"]',
  ]) {
    expect(ended.stderr).toContain(part);
  }
});

test('all problems of a file are reported at once: repeated names and a mistyped package', async () => {
  const bad = JSON.stringify({ ...openai, package: '@ai-sdk/opnai', apiKeyEnv: 'KEY' });
  const route = '{ "provider": "o", "model": "m", "wieght": 1 }';
  const text = `{
    "providers": { "o": ${bad}, "o": ${bad} },
    "models": { "image-a-2": [${route}], "image-a-2": [${route}] }
  }`;
  const ended = await admin(['routes', 'check'], text);
  expect(ended.status).toBe(1);
  for (const part of [
    'providers.o appears twice.',
    'models["image-a-2"] appears twice.',
    'models["image-a-2"][0].wieght is not allowed (did you mean "weight"?)',
    'providers.o: @ai-sdk/opnai is not installed: did you mean @ai-sdk/openai?',
  ]) {
    expect(ended.stderr).toContain(part);
  }
  expect(ended.stderr).not.toContain('npm install');
});
