import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findModel, type Model, type VideoParameters } from '@framegate/contract';
import type { RoutedRequest } from '@framegate/provider-routes';
import { combinationProblems } from './combination.ts';

const model = findModel('alpha-2.5') as Model;

function request(
  parameters: Partial<VideoParameters> = {},
  rest: Partial<RoutedRequest> = {},
): RoutedRequest {
  const usual: VideoParameters = {
    duration_seconds: 5,
    resolution: '720p',
    aspect_ratio: '16:9',
    generate_audio: false,
    seed: 1,
    real_person_mode: false,
  };
  const text = { type: 'video', mode: 'text-to-video', inputs: [] } as const;
  return { ...text, ...rest, parameters: { ...usual, ...parameters } };
}

const messages = (asked: RoutedRequest, isCovered: (each: RoutedRequest) => boolean) =>
  combinationProblems(model, asked, isCovered).map(({ param, message }) => [param, message]);

const rest = 'Together with the rest of this request alpha-2.5 offers';

describe('why no route makes a request', () => {
  test('names every part whose change alone would help', () => {
    const loud = request({ generate_audio: true, resolution: '1080p' });
    const isCovered = ({ parameters }: RoutedRequest) =>
      !('generate_audio' in parameters && parameters.generate_audio) ||
      parameters.resolution !== '1080p';
    expect(messages(loud, isCovered)).toEqual([
      ['parameters.resolution', `${rest} 480p, 720p.`],
      ['parameters.generate_audio', `${rest} false.`],
    ]);
  });

  test('names excess inputs', () => {
    const frames = [
      { type: 'image' as const, role: 'first_frame' as const },
      { type: 'image' as const, role: 'last_frame' as const },
    ];
    const framed = request({}, { mode: 'image-to-video', inputs: frames });
    expect(messages(framed, ({ inputs }) => inputs.length < 2)).toEqual([
      ['inputs', `${rest} no last frame.`],
    ]);
    const inputs = Array.from({ length: 5 }, () => ({
      type: 'image' as const,
      role: 'reference' as const,
    }));
    const referring = request({}, { mode: 'multimodal-to-video', inputs });
    expect(messages(referring, (each) => each.inputs.length < 4)).toEqual([
      ['inputs', `${rest} at most 3 image references.`],
    ]);
  });

  test('names two parts that help together where neither does alone', () => {
    const upright = request({ aspect_ratio: '9:16', duration_seconds: 4 });
    const isCovered = ({ parameters }: RoutedRequest) =>
      parameters.aspect_ratio === '16:9' &&
      'duration_seconds' in parameters &&
      [6, 8].includes(parameters.duration_seconds);
    const offer = `${rest} aspect_ratio 16:9 with duration_seconds 6, 8.`;
    expect(messages(upright, isCovered)).toEqual([
      ['parameters.aspect_ratio', offer],
      ['parameters.duration_seconds', offer],
    ]);
  });

  test('reports when no change of one or two parts helps', () => {
    expect(messages(request(), () => false)).toEqual([
      ['parameters', expect.stringContaining('does not offer this combination of mode, inputs')],
    ]);
  });

  test('for any coverage there is at least one problem, and every offered change is covered', () => {
    const resolutions = fc.subarray(['480p', '720p', '1080p']);
    const lengths = fc.subarray([4, 5, 6, 7, 8]);
    fc.assert(
      fc.property(resolutions, lengths, (made, seconds) => {
        const isCovered = ({ parameters }: RoutedRequest) =>
          made.includes(parameters.resolution) &&
          'duration_seconds' in parameters &&
          seconds.includes(parameters.duration_seconds);
        const asked = request();
        fc.pre(!isCovered(asked));
        const problems = combinationProblems(model, asked, isCovered);
        expect(problems.length).toBeGreaterThan(0);
        const resolution = problems.find(({ param }) => param === 'parameters.resolution');
        const both = `resolution ${made[0]} with duration_seconds ${seconds.join(', ')}`;
        const offer = seconds.includes(5) ? made.join(', ') : both;
        if (resolution) expect(resolution.message).toBe(`${rest} ${offer}.`);
      }),
    );
  });
});
