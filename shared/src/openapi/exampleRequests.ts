import type { CreateImageBody, CreateVideoBody } from '../generated/wire.ts';

/** Bodies of POST /videos, one for each mode. */
export const exampleVideoRequests = {
  text_to_video: {
    summary: 'From text alone',
    value: {
      model: 'alpha-2.0-pro',
      mode: 'text-to-video',
      prompt: 'A paper boat drifts down a rainy street, seen from above.',
      parameters: { duration_seconds: 5, resolution: '720p', aspect_ratio: '16:9' },
    },
  },
  image_to_video: {
    summary: 'From a first and a last frame',
    value: {
      model: 'alpha-2.5',
      mode: 'image-to-video',
      prompt: 'The flower opens while the light turns golden.',
      inputs: [
        { type: 'image', url: 'https://assets.example.com/bud.jpg', role: 'first_frame' },
        { type: 'image', url: 'https://assets.example.com/bloom.jpg', role: 'last_frame' },
      ],
      parameters: { duration_seconds: 6, resolution: '1080p', generate_audio: true },
    },
  },
  multimodal_to_video: {
    summary: 'From references of several kinds',
    value: {
      model: 'alpha-2.0-fast',
      mode: 'multimodal-to-video',
      prompt: 'The product in the image turns on a table, to the rhythm of the music.',
      inputs: [
        { type: 'image', url: 'https://assets.example.com/product.png' },
        { type: 'audio', url: 'https://assets.example.com/beat.mp3' },
      ],
    },
  },
  real_person: {
    summary: 'With a real person, whose consent you hold',
    value: {
      model: 'alpha-2.0-pro',
      mode: 'image-to-video',
      prompt: 'The presenter smiles and waves.',
      inputs: [{ type: 'image', url: 'https://assets.example.com/presenter.jpg' }],
      parameters: { real_person_mode: true },
      compliance: { rights_confirmed: true, consent_reference: 'release-2026/0042' },
    },
  },
} as const satisfies Record<string, { summary: string; value: CreateVideoBody }>;

/** Bodies of POST /images. */
export const exampleImageRequests = {
  text_to_image: {
    summary: 'From text alone',
    value: {
      model: 'image-b-2',
      prompt: 'A lighthouse on a cliff at dusk, watercolour.',
      parameters: { n: 1, aspect_ratio: '3:2', resolution: '2k', output_format: 'jpeg' },
    },
  },
  with_reference: {
    summary: 'With a reference image',
    value: {
      model: 'image-a-2',
      prompt: 'The same cup on a wooden table, morning light.',
      inputs: [{ type: 'image', url: 'https://assets.example.com/cup.png' }],
    },
  },
} as const satisfies Record<string, { summary: string; value: CreateImageBody }>;
