import { describe, expect, test } from '@jest/globals';
import { imageAspectRatios, videoAspectRatios } from '@framegate/contract';
import { testedPackages } from '../../gateway/providers/src/aiSdk/dialects.ts';
import { expectedSize } from '../../gateway/providers/src/deliveredSizes.ts';
import { arkDialect } from '../../gateway/providers/src/modelArk/modelArk.ts';
import { imageSize, videoSize } from '../../gateway/providers/src/pixelSize.ts';
import type { RoutedRequest } from '../../gateway/providers/src/route.ts';
import { planOf } from '../../gateway/providers/src/routePlan.ts';
import { unroutedEntry } from '../../gateway/providers/src/routesFile.ts';
import { covers } from '../../gateway/providers/src/routeSupport.ts';
import { type ProviderRows, type Row, rowOf } from '../../gateway/providers/src/rows.ts';
import { compareDelivery } from '../../gateway/src/domain/generations/delivery.ts';

/** Deliveries of models by their documentation: resolution, ratio, sizes. */
type Known = [resolution: string, ratio: string, ...sizes: string[]][];

const seedance1: Known = [
  ['480p', '16:9', '864x480'],
  ['480p', '4:3', '736x544'],
  ['480p', '21:9', '960x416'],
  ['720p', '16:9', '1248x704'],
  ['720p', '4:3', '1120x832'],
  ['720p', '1:1', '960x960'],
  ['720p', '21:9', '1504x640'],
  ['1080p', '16:9', '1920x1088'],
  ['1080p', '9:16', '1088x1920'],
  ['1080p', '21:9', '2176x928'],
];
const seedance2: Known = [
  ['480p', '16:9', '864x496', '854x480'],
  ['480p', '9:16', '496x864', '480x854'],
  ['480p', '4:3', '752x560'],
  ['480p', '1:1', '640x640'],
  ['480p', '21:9', '992x432'],
  ['720p', '16:9', '1280x720'],
  ['720p', '3:4', '834x1112'],
  ['720p', '1:1', '960x960'],
  ['720p', '21:9', '1470x630'],
  ['1080p', '4:3', '1664x1248'],
  ['1080p', '1:1', '1440x1440'],
  ['1080p', '21:9', '2206x946', '2240x960'],
  ['2160p', '16:9', '3840x2160'],
  ['2160p', '3:4', '2494x3326'],
  ['2160p', '21:9', '4398x1886'],
];
const veo: Known = [
  ['720p', '16:9', '1280x720'],
  ['720p', '9:16', '720x1280'],
  ['1080p', '9:16', '1080x1920'],
  ['2160p', '16:9', '3840x2160'],
];
const wan: Known = [
  ['480p', '16:9', '832x480'],
  ['480p', '1:1', '624x624'],
  ['720p', '1:1', '960x960'],
  ['720p', '4:3', '1088x832', '1104x832'],
  ['1080p', '3:4', '1248x1632'],
];
const gemini25: Known = [
  ['1k', '1:1', '1024x1024'],
  ['1k', '2:3', '832x1248'],
  ['1k', '3:4', '864x1184'],
  ['1k', '16:9', '1344x768'],
  ['1k', '21:9', '1536x672'],
];
const gemini3: Known = [
  ['1k', '2:3', '848x1264'],
  ['1k', '4:3', '1200x896'],
  ['1k', '9:16', '768x1376'],
  ['1k', '21:9', '1584x672'],
  ['2k', '16:9', '2752x1536'],
  ['2k', '3:2', '2528x1696'],
  ['4k', '16:9', '5504x3072'],
  ['4k', '21:9', '6336x2688'],
];
const hailuo: Known = [['720p', '16:9', '1366x768']];
const gptImage: Known = [
  ['1k', '1:1', '1024x1024'],
  ['1k', '3:2', '1536x1024'],
  ['1k', '2:3', '1024x1536'],
];
const flux: Known = [
  ['1k', '16:9', '1344x768'],
  ['1k', '3:4', '896x1184', '864x1152'],
];

const table = (name: string): ProviderRows =>
  testedPackages[`@ai-sdk/${name}`]?.dialect.models ?? { rows: [], send: {} };
const ark = arkDialect.models;

const documented: [string, ProviderRows, Row['type'], string, Known][] = [
  ['ModelArk', ark, 'video', 'seedance-1-0-pro-250528', seedance1],
  ['ModelArk', ark, 'video', 'seedance-1-0-pro-fast-251015', seedance1],
  ['ModelArk', ark, 'video', 'seedance-1-5-pro-251215', seedance2],
  ['ModelArk', ark, 'video', 'dreamina-seedance-2-0-260128', seedance2],
  ['ModelArk', ark, 'video', 'dreamina-seedance-2-0-fast-260128', seedance2],
  ['ModelArk', ark, 'video', 'dreamina-seedance-2-5-260807', seedance2],
  ['ModelArk', ark, 'video', 'dreamina-seedance-2-0-mini-260615', seedance2],
  ['fal', table('fal'), 'video', 'fal-ai/bytedance/seedance/v1/pro/text-to-video', seedance1],
  ['fal', table('fal'), 'video', 'bytedance/seedance-2.0/text-to-video', seedance2],
  ['fal', table('fal'), 'video', 'bytedance/seedance-2.5/us/text-to-video', seedance2],
  ['fal', table('fal'), 'video', 'fal-ai/veo3.1', veo],
  ['Replicate', table('replicate'), 'video', 'bytedance/seedance-2.0', seedance2],
  ['Replicate', table('replicate'), 'image', 'google/nano-banana-pro', gemini3],
  ['fal', table('fal'), 'image', 'fal-ai/nano-banana-pro', gemini3],
  ['fal', table('fal'), 'video', 'fal-ai/minimax/hailuo-2.3/standard/text-to-video', hailuo],
  ['Replicate', table('replicate'), 'image', 'black-forest-labs/flux-schnell', flux],
  ['Google', table('google'), 'video', 'veo-3.1-generate-preview', veo],
  ['Google', table('google'), 'image', 'gemini-2.5-flash-image', gemini25],
  ['Google', table('google'), 'image', 'gemini-3-pro-image', gemini3],
  ['Google Vertex', table('google-vertex'), 'video', 'veo-3.1-generate-001', veo],
  ['Google Vertex', table('google-vertex'), 'image', 'gemini-3-pro-image', gemini3],
  ['Alibaba', table('alibaba'), 'video', 'wan2.5-t2v-preview', wan],
  ['Alibaba', table('alibaba'), 'video', 'wan2.7-t2v', wan],
  ['OpenAI', table('openai'), 'image', 'gpt-image-1', gptImage],
  ['OpenAI', table('openai'), 'image', 'gpt-image-2', gptImage],
  ['Black Forest Labs', table('black-forest-labs'), 'image', 'flux-kontext-pro', flux],
  [
    'Black Forest Labs',
    table('black-forest-labs'),
    'image',
    'flux-pro-1.1-ultra',
    [['2k', '16:9', '2752x1536']],
  ],
  ['Fireworks', table('fireworks'), 'image', 'accounts/fireworks/models/flux-1-schnell-fp8', flux],
];

function request(type: Row['type'], resolution: string, ratio: string): RoutedRequest {
  const size = { resolution, aspect_ratio: ratio, seed: 1 };
  const parameters =
    type === 'video'
      ? { ...size, duration_seconds: 5, generate_audio: false, real_person_mode: false }
      : { ...size, n: 1, output_format: 'png' };
  const mode = type === 'video' ? 'text-to-video' : null;
  return { type, mode, inputs: [], parameters } as RoutedRequest;
}

/** The differences of a delivered size; other things are as ordered. */
function differences(row: Row | null, asked: RoutedRequest, text: string) {
  const [width = 0, height = 0] = text.split('x').map(Number);
  const order = { ...expectedSize(row, asked), files: 1, seconds: null, sound: null };
  return compareDelivery(order, [{ width, height }]);
}

describe('the sizes that providers document', () => {
  test.each(documented)('%s: %#', (_name, rows, type, model, known) => {
    const found = known.flatMap(([resolution, ratio, ...sizes]) => {
      const asked = request(type, resolution, ratio);
      return sizes.map((size) => [
        size,
        differences(rowOf(rows, type, model) ?? null, asked, size),
      ]);
    });
    expect(found.filter(([, each]) => each?.length !== 0)).toEqual([]);
  });

  const all: [string, ProviderRows][] = [
    ['ModelArk', ark],
    ...Object.entries(testedPackages).map(([name, { dialect }]): [string, ProviderRows] => [
      name,
      dialect.models,
    ]),
  ];

  test.each(all)(
    '%s: no row refuses a resolution by short side, by area or by long side',
    (_name, rows) => {
      const refused = rows.rows.flatMap((row) => {
        const [model = ''] = row.match;
        const { support } = planOf(rows, row.type, unroutedEntry('p', model));
        const ratios = row.type === 'video' ? videoAspectRatios : imageAspectRatios;
        const names =
          row.type === 'video' ? ['480p', '720p', '1080p', '2160p'] : ['1k', '2k', '4k'];
        return names.flatMap((resolution) =>
          ratios.flatMap((ratio) => {
            const asked = request(row.type, resolution, ratio);
            const open = {
              ...support,
              modes: null,
              seconds: null,
              audio: true,
              combinations: [],
              requires: [],
            };
            if (!covers(open, asked)) return [];
            return conventions(row.type, resolution, ratio)
              .filter((size) => differences(row, asked, size).some(({ isGross }) => isGross))
              .map((size) => [model, resolution, ratio, size]);
          }),
        );
      });
      expect(refused).toEqual([]);
    },
  );
});

/** A resolution at a ratio as providers define it: by our own size, by area, and for a video by its long side. */
function conventions(type: Row['type'], resolution: string, ratio: string): string[] {
  const [across = 1, down = 1] = ratio.split(':').map(Number);
  const text = (width: number, height: number) => `${Math.round(width)}x${Math.round(height)}`;
  const ofArea = (pixels: number) => {
    const height = Math.sqrt((pixels * down) / across);
    return text(pixels / height, height);
  };
  if (type === 'image') {
    const { width, height } = imageSize(resolution, ratio);
    return [text(width, height), ofArea(imageSize(resolution, '1:1').width ** 2)];
  }
  const { width, height } = videoSize(resolution, ratio);
  const wide = videoSize(resolution, '16:9');
  const long = wide.width / Math.max(across, down);
  return [text(width, height), ofArea(wide.width * wide.height), text(long * across, long * down)];
}

test('a first frame sets the ratio where the row states it', () => {
  const asked = {
    ...request('video', '720p', '16:9'),
    inputs: [{ type: 'image', role: 'first_frame' }] as const,
  };
  const rows = table('replicate');
  expect(
    expectedSize(rowOf(rows, 'video', 'kwaivgi/kling-v3-video') ?? null, asked).ratioFrom,
  ).toBe('picture');
  expect(expectedSize(null, asked).ratioFrom).toBe('either');
  expect(expectedSize(null, request('video', '720p', '16:9')).ratioFrom).toBe('order');
});
