import { describe, expect, test } from '@jest/globals';
import {
  type CreateVideoBody,
  type DetailCode,
  findModel,
  type InputRole,
  type InputType,
  type VideoInputBody,
  type VideoModel,
} from '@framegate/contract';
import { Refusal } from '../refusal.ts';
import { resolveVideoRequest } from './requestRules.ts';

const videoModel = (id: string) => findModel(id) as VideoModel;

function input(type: InputType, role?: InputRole): VideoInputBody {
  const url = `https://a.example/${type}`;
  return role === undefined ? { type, url } : { type, url, role };
}
const some = (count: number, type: InputType) => Array.from({ length: count }, () => input(type));

const text: CreateVideoBody = {
  model: 'alpha-2.0-pro',
  mode: 'text-to-video',
  prompt: 'A boat.',
};
const frames = (...inputs: VideoInputBody[]): CreateVideoBody => ({
  ...text,
  mode: 'image-to-video',
  inputs,
});
const references = (...inputs: VideoInputBody[]): CreateVideoBody => ({
  ...text,
  mode: 'multimodal-to-video',
  inputs,
});

/** `param code` of every problem, in the order of the response. */
function problemsOf(resolve: () => unknown): string[] {
  try {
    resolve();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    expect(error.code).toBe('invalid_request');
    expect(error.param).toBe(error.details[0]?.param);
    for (const { message } of error.details) expect(message).toMatch(/^\S.*\.$/);
    return error.details.map(({ param, code }) => `${param} ${code as DetailCode}`);
  }
  return [];
}
const problems = (body: CreateVideoBody) =>
  problemsOf(() => resolveVideoRequest(videoModel(body.model), body));

describe('a video request', () => {
  test('gets the defaults of its model; the seed is left to the server', () => {
    const request = resolveVideoRequest(videoModel('beta-3.0'), { ...text, prompt: ' A boat.\n' });
    expect(request).toEqual({
      type: 'video',
      model: 'beta-3.0',
      mode: 'text-to-video',
      prompt: 'A boat.',
      inputs: [],
      parameters: {
        duration_seconds: 5,
        resolution: '720p',
        aspect_ratio: '16:9',
        generate_audio: false,
        real_person_mode: false,
      },
    });
  });

  test('has its parameters in the order of the record, whatever the order sent', () => {
    const order =
      'duration_seconds resolution aspect_ratio generate_audio seed real_person_mode'.split(' ');
    for (const parameters of [{}, { real_person_mode: false, seed: 7, duration_seconds: 5 }]) {
      const request = resolveVideoRequest(videoModel(text.model), { ...text, parameters });
      expect(Object.keys({ ...request.parameters, seed: 9 })).toEqual(order);
    }
  });

  test('keeps chosen values', () => {
    const parameters = {
      duration_seconds: 15,
      resolution: '1080p',
      aspect_ratio: '9:16',
      generate_audio: true,
      seed: 7,
      real_person_mode: true,
    } as const;
    const body = { ...frames(input('image')), parameters };
    expect(resolveVideoRequest(videoModel(text.model), body).parameters).toEqual(parameters);
  });

  test('gives each input the role of its mode and keeps the order sent', () => {
    const resolve = (body: CreateVideoBody) =>
      resolveVideoRequest(videoModel(body.model), body).inputs.map(({ type, role }) => [
        type,
        role,
      ]);
    expect(resolve(frames(input('image', 'last_frame'), input('image')))).toEqual([
      ['image', 'last_frame'],
      ['image', 'first_frame'],
    ]);
    expect(resolve(references(input('audio'), input('image', 'reference')))).toEqual([
      ['audio', 'reference'],
      ['image', 'reference'],
    ]);
  });

  test.each<[string, CreateVideoBody]>([
    ['no inputs', { ...text, inputs: [] }],
    ['one frame', frames(input('image'))],
    ['two frames', frames(input('image', 'first_frame'), input('image', 'last_frame'))],
    ['one image', references(input('image'))],
    ['one video', references(input('video'))],
    [
      'as many as there may be',
      references(...some(9, 'image'), ...some(3, 'video'), ...some(3, 'audio')),
    ],
    ['the longest prompt', { ...text, prompt: ` ${'🚤'.repeat(3500)} ` }],
    [
      'silence from a silent model',
      { ...text, model: 'alpha-2.0-mini', parameters: { generate_audio: false } },
    ],
  ])('is accepted with %s', (_, body) => {
    expect(problems(body)).toEqual([]);
  });

  test.each<[string, CreateVideoBody, string[]]>([
    [
      'a mode that the model lacks',
      { ...references(input('image')), model: 'beta-3.0' },
      ['mode not_supported'],
    ],
    ['a prompt too long for the model', { ...text, prompt: 'x'.repeat(3501) }, ['prompt too_long']],
    ['a prompt of too many boats', { ...text, prompt: '🚤'.repeat(3501) }, ['prompt too_long']],
    [
      '3 seconds',
      { ...text, parameters: { duration_seconds: 3 } },
      ['parameters.duration_seconds out_of_range'],
    ],
    [
      '11 seconds of mini',
      { ...text, model: 'alpha-2.0-mini', parameters: { duration_seconds: 11 } },
      ['parameters.duration_seconds out_of_range'],
    ],
    [
      'a resolution not offered',
      { ...text, parameters: { resolution: '2160p' } },
      ['parameters.resolution not_supported'],
    ],
    [
      'sound from a silent model',
      { ...text, model: 'alpha-2.0-mini', parameters: { generate_audio: true } },
      ['parameters.generate_audio not_supported'],
    ],
    ['inputs for text', { ...text, inputs: [input('image')] }, ['inputs not_allowed']],
    ['no frame', { ...text, mode: 'image-to-video' }, ['inputs required']],
    ['an empty list of frames', frames(), ['inputs required']],
    ['a last frame alone', frames(input('image', 'last_frame')), ['inputs required']],
    ['two first frames', frames(input('image'), input('image')), ['inputs[1].role too_many']],
    [
      'two last frames',
      frames(input('image'), input('image', 'last_frame'), input('image', 'last_frame')),
      ['inputs[2].role too_many'],
    ],
    [
      'three frames',
      frames(input('image'), input('image', 'last_frame'), input('image')),
      ['inputs[2].role too_many'],
    ],
    ['a video as a frame', frames(input('video')), ['inputs[0].type invalid_value']],
    [
      'a reference as a frame',
      frames(input('image'), input('image', 'reference')),
      ['inputs[1].role invalid_value'],
    ],
    [
      'a frame as a reference',
      references(input('image', 'first_frame')),
      ['inputs[0].role invalid_value'],
    ],
    ['no reference', references(), ['inputs required']],
    ['sound alone', references(input('audio')), ['inputs required']],
    ['ten images', references(...some(10, 'image')), ['inputs too_many']],
    [
      'too many of each',
      references(...some(10, 'image'), ...some(4, 'video'), ...some(4, 'audio')),
      ['inputs too_many', 'inputs too_many', 'inputs too_many'],
    ],
    [
      'two videos for mini',
      { ...references(...some(2, 'video')), model: 'alpha-2.0-mini' },
      ['inputs too_many'],
    ],
    ['compliance without the mode', { ...text, compliance: {} }, ['compliance not_allowed']],
    [
      'compliance with the mode off',
      { ...text, parameters: { real_person_mode: false }, compliance: { rights_confirmed: true } },
      ['compliance not_allowed'],
    ],
  ])('is refused with %s', (_, body, expected) => {
    expect(problems(body)).toEqual(expected);
  });

  test('is refused with every problem at once', () => {
    const body: CreateVideoBody = {
      model: 'alpha-2.5-lite',
      mode: 'multimodal-to-video',
      prompt: 'x'.repeat(2501),
      inputs: [input('image', 'last_frame')],
      parameters: { duration_seconds: 13, resolution: '1080p' },
      compliance: { rights_confirmed: true },
    };
    expect(problems(body)).toEqual([
      'mode not_supported',
      'prompt too_long',
      'inputs[0].role invalid_value',
      'parameters.duration_seconds out_of_range',
      'parameters.resolution not_supported',
      'compliance not_allowed',
    ]);
  });

  test('of a model that takes one image has no last frame', () => {
    const model = videoModel('beta-3.0');
    const { inputs } = model;
    const single = { ...model, inputs: { ...inputs, image: { ...inputs.image, maxCount: 1 } } };
    const body = frames(input('image'), input('image', 'last_frame'));
    expect(problemsOf(() => resolveVideoRequest(single, body))).toEqual(['inputs not_supported']);
  });
});
