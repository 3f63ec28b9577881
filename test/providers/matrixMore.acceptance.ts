import { afterAll, beforeAll, describe } from '@jest/globals';
import { statedImage, statedVideo } from '../support/statedSupport.ts';
import { testTogether } from '../support/testTogether.ts';
import {
  flux3Videos,
  gatewayVideos,
  imageProtocols,
  minimaxVideos,
  vertexVideos,
} from './matrixMoreProtocols.ts';
import { eachLine, type Line, type Matrix, startMatrix } from './matrixWorld.ts';

/*
 * Packages described by the routes file, and further ones with built-in knowledge, each installed from npm, through a
 * whole gateway.
 */

const images = imageProtocols;
const sdk = (name: string, factory: string, more: object = {}) => ({
  kind: 'ai-sdk',
  package: `@ai-sdk/${name}`,
  factory,
  ...more,
});
const accounts = 'accounts/fireworks/models';
const only1k = { ...statedImage, resolutions: ['1k'] };

const videos: Line[] = [
  {
    name: 'Google Vertex',
    model: 'beta-3.0',
    providerModel: 'veo-3.1-generate-001',
    provider: sdk('google-vertex', 'createGoogleVertex'),
    protocol: vertexVideos,
  },
  {
    name: 'Black Forest Labs videos',
    model: 'alpha-2.5',
    providerModel: 'flux-3-video',
    provider: sdk('black-forest-labs', 'createBlackForestLabs'),
    protocol: flux3Videos,
  },
  {
    name: 'MiniMax',
    model: 'alpha-2.0-fast',
    providerModel: 'MiniMax-H3-Max',
    provider: sdk('minimax', 'createMiniMax', {
      calls: { size: 'name' },
      errorRules: [
        { match: '1026', code: 'input_rejected' },
        { match: '1027', code: 'output_rejected' },
      ],
    }),
    does: { ...statedVideo, resolutions: ['480p'], audio: false },
    protocol: minimaxVideos,
  },
  {
    name: 'Vercel AI Gateway',
    model: 'alpha-2.0-pro',
    providerModel: 'google/veo-3.1',
    provider: sdk('gateway', 'createGateway'),
    does: statedVideo,
    protocol: gatewayVideos,
  },
];

const firstImages: Line[] = [
  {
    name: 'DeepInfra images',
    model: 'image-a-2',
    providerModel: 'black-forest-labs/FLUX-1-dev',
    provider: sdk('deepinfra', 'createDeepInfra'),
    does: statedImage,
    protocol: images.deepinfra,
  },
  {
    name: 'Fireworks Kontext images',
    model: 'image-b-2',
    providerModel: `${accounts}/flux-kontext-pro`,
    provider: sdk('fireworks', 'createFireworks'),
    protocol: images.fireworksQueue,
  },
  {
    name: 'Vercel AI Gateway images',
    model: 'image-b-pro',
    providerModel: 'openai/gpt-image-2',
    provider: sdk('gateway', 'createGateway'),
    does: statedImage,
    protocol: images.gateway,
  },
];

const nextImages: Line[] = [
  {
    name: 'Fireworks images',
    model: 'image-a-2',
    providerModel: `${accounts}/flux-1-dev-fp8`,
    provider: sdk('fireworks', 'createFireworks'),
    protocol: images.fireworks,
  },
  {
    name: 'Luma images',
    model: 'image-b-2',
    providerModel: 'photon-1',
    provider: sdk('luma', 'createLuma', {
      calls: { size: 'ratio' },
    }),
    does: only1k,
    protocol: images.luma,
  },
  {
    name: 'Together AI images',
    model: 'image-b-pro',
    providerModel: 'black-forest-labs/FLUX.1-dev',
    provider: sdk('togetherai', 'createTogetherAI'),
    does: statedImage,
    protocol: images.togetherai,
  },
];

let matrix: Matrix;
beforeAll(async () => {
  matrix = await startMatrix(
    [...videos, ...firstImages],
    [
      ...['https://aiplatform.googleapis.com', 'https://api.bfl.ai', 'https://api.minimax.io'],
      ...['https://ai-gateway.vercel.sh', 'https://api.deepinfra.com', 'https://api.fireworks.ai'],
      ...['https://api.lumalabs.ai', 'https://api.together.xyz'],
    ],
  );
});
afterAll(() => matrix.stop());

describe('through a whole gateway', () => {
  testTogether(eachLine([...videos, ...firstImages], (line) => matrix.expectLine(line)));
});

describe('after another routes file', () => {
  beforeAll(() => matrix.follow(nextImages));
  testTogether(eachLine(nextImages, (line) => matrix.expectLine(line)));
});
