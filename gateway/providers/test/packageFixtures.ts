import { openRoute } from './routeFixtures.ts';
import { json, png, startTinyServer, type TinyServer } from './tinyServer.ts';

/** Each package as installed from npm, against a server that records its requests. */
export const packages = {
  fal: {
    provider: { package: '@ai-sdk/fal', factory: 'createFal' },
    origins: ['https://queue.fal.run', 'https://fal.run'],
    submitted: { request_id: '1', response_url: 'https://queue.fal.run/fal-ai/x/requests/1' },
    images: { images: [{ url: 'https://files.example/1.png' }] },
  },
  google: {
    provider: { package: '@ai-sdk/google', factory: 'createGoogle' },
    origins: ['https://generativelanguage.googleapis.com'],
    submitted: { name: 'models/veo/operations/1' },
    images: {
      candidates: [
        { content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }] } },
      ],
    },
  },
  vertex: {
    provider: { package: '@ai-sdk/google-vertex', factory: 'createGoogleVertex' },
    origins: ['https://aiplatform.googleapis.com'],
    submitted: { name: 'projects/p/locations/l/publishers/google/models/veo/operations/1' },
    images: {
      candidates: [
        { content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }] } },
      ],
    },
  },
  fireworks: {
    provider: { package: '@ai-sdk/fireworks', factory: 'createFireworks' },
    origins: ['https://api.fireworks.ai'],
    submitted: {},
    images: {},
  },
  replicate: {
    provider: { package: '@ai-sdk/replicate', factory: 'createReplicate' },
    origins: ['https://api.replicate.com'],
    submitted: {
      id: '1',
      status: 'starting',
      urls: { get: 'https://api.replicate.com/v1/predictions/1' },
    },
    images: {
      id: '1',
      status: 'succeeded',
      output: ['https://files.example/1.png'],
      urls: { get: 'https://api.replicate.com/v1/predictions/1' },
    },
  },
  alibaba: {
    provider: { package: '@ai-sdk/alibaba', factory: 'createAlibaba' },
    origins: ['https://dashscope-intl.aliyuncs.com'],
    submitted: { output: { task_id: '1', task_status: 'PENDING' }, request_id: 'r' },
    images: {},
  },
  xai: {
    provider: { package: '@ai-sdk/xai', factory: 'createXai' },
    origins: ['https://api.x.ai'],
    submitted: { request_id: '1' },
    images: { data: [{ b64_json: 'iVBORw0KGgo=' }] },
  },
  bfl: {
    provider: { package: '@ai-sdk/black-forest-labs', factory: 'createBlackForestLabs' },
    origins: ['https://api.bfl.ai'],
    submitted: { id: '1', polling_url: 'https://api.bfl.ai/v1/get_result?id=1' },
    images: {},
  },
  openai: {
    provider: { package: '@ai-sdk/openai', factory: 'createOpenAI' },
    origins: ['https://api.openai.com'],
    submitted: {},
    images: { data: [{ b64_json: 'iVBORw0KGgo=' }] },
  },
} as const;

export type PackageName = keyof typeof packages;

/** A server that serves pictures, and answers everything else with `bodyOf()`. */
export function startPackageServer(bodyOf: () => unknown): Promise<TinyServer> {
  return startTinyServer(({ path }, response) => {
    if (path.endsWith('.png')) response.writeHead(200, { 'content-type': 'image/png' }).end(png);
    else json(response, 200, bodyOf());
  });
}

/** A route of a package whose API, and whose files at files.example, are this server. */
export function openPackage(
  server: TinyServer,
  name: PackageName,
  model: string,
  options: Parameters<typeof openRoute>[2] = {},
  more: object = {},
) {
  const { provider, origins } = packages[name];
  const all = [...origins, 'https://files.example'];
  const elsewhere = all.map((origin): [string, string] => [origin, server.origin]);
  return openRoute(
    {
      kind: 'ai-sdk',
      ...provider,
      mediaHosts: ['files.example'],
      allowPrivateNetwork: true,
      ...more,
      rewriteOrigins: Object.fromEntries(elsewhere),
    },
    model,
    options,
  );
}

/** URL at which a provider fetches one of our inputs. */
export const inputUrl = (role: string, kind = 'png') =>
  `https://media.gateway.example/in/${role}.${kind}?sig=1`;
