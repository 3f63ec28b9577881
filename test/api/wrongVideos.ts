import { imageInput } from '../support/bodies.ts';

/** Fields of an image-to-video request. */
export const i2v = (fields: Record<string, unknown> = {}) => ({
  mode: 'image-to-video',
  inputs: [imageInput()],
  ...fields,
});
export const realMode = { parameters: { real_person_mode: true } };
export const consent = { rights_confirmed: true, consent_reference: 'case-7' };
const reals = { ...realMode, compliance: consent };

/** Status and code of the refusal, the problem, and the fields of the body that cause it. */
export const wrongVideos: [number, string, string, Record<string, unknown>][] = [
  [400, 'invalid_request', 'an unknown field', { colour: 'red' }],
  [400, 'invalid_request', 'a number as text', { parameters: { duration_seconds: '5' } }],
  [400, 'invalid_request', 'no prompt', { prompt: '   ' }],
  [400, 'invalid_request', 'a prompt beyond the model', { prompt: 'x'.repeat(3501) }],
  [
    400,
    'invalid_request',
    'a mode beyond the model',
    { model: 'beta-3.0', mode: 'multimodal-to-video', inputs: [imageInput()] },
  ],
  [400, 'invalid_request', 'a duration beyond the model', { parameters: { duration_seconds: 11 } }],
  [
    400,
    'invalid_request',
    'a resolution beyond the model',
    { parameters: { resolution: '1080p' } },
  ],
  [400, 'invalid_request', 'sound where there is none', { parameters: { generate_audio: true } }],
  [400, 'invalid_request', 'inputs for text-to-video', { inputs: [imageInput()] }],
  [400, 'invalid_request', 'image-to-video without a picture', { mode: 'image-to-video' }],
  [
    400,
    'invalid_request',
    'a last frame alone',
    i2v({ inputs: [imageInput(undefined, { role: 'last_frame' })] }),
  ],
  [
    400,
    'invalid_request',
    'only sound as reference',
    {
      mode: 'multimodal-to-video',
      inputs: [{ type: 'audio', url: 'https://media.example.com/a.mp3' }],
    },
  ],
  [400, 'invalid_request', 'seed 0', { parameters: { seed: 0 } }],
  [400, 'invalid_request', 'compliance without the mode', i2v({ compliance: consent })],
  [
    400,
    'invalid_request',
    'another field in compliance',
    i2v({ ...realMode, compliance: { ...consent, x: 1 } }),
  ],
  [
    400,
    'input_url_invalid',
    'http',
    i2v({ inputs: [imageInput('http://media.example.com/a.png')] }),
  ],
  [
    400,
    'input_url_invalid',
    'an address',
    i2v({ inputs: [imageInput('https://127.0.0.1/a.png')] }),
  ],
  [
    400,
    'input_url_invalid',
    'a data URL',
    i2v({ inputs: [imageInput('data:image/png;base64,AA')] }),
  ],
  [
    403,
    'input_host_not_approved',
    'another host',
    i2v({ inputs: [imageInput('https://other.example.com/a.png')] }),
  ],
  [404, 'model_not_found', 'a model that does not exist', { model: 'gamma-1' }],
  [404, 'model_not_found', 'an image model', { model: 'image-b-2' }],
  [
    422,
    'real_person_not_allowed',
    'real persons on another model',
    i2v({ ...reals, model: 'alpha-2.5' }),
  ],
  [422, 'real_person_not_allowed', 'real persons from text', reals],
  [422, 'consent_required', 'real persons without a declaration', i2v(realMode)],
  [
    422,
    'consent_required',
    'rights not confirmed',
    i2v({ ...realMode, compliance: { ...consent, rights_confirmed: false } }),
  ],
  [
    422,
    'consent_required',
    'no consent reference',
    i2v({ ...realMode, compliance: { rights_confirmed: true } }),
  ],
];
