import type { ProviderRequest } from '../src/route.ts';
import { inputUrl as url, type PackageName } from './packageFixtures.ts';
import { input, videoRequest } from './routeFixtures.ts';

/** A picture as received by a provider that takes only bytes. */
const picture = { bytesBase64Encoded: btoa('picture'), mimeType: 'image/png' };
/** Fields sent to Veo for a usual request. */
const usual = {
  sampleCount: 1,
  aspectRatio: '16:9',
  resolution: '720p',
  durationSeconds: 5,
  seed: 7,
};
/** Requests by their inputs: text only, frames, or references. */
export const text = (parameters: object) => videoRequest(parameters);
export const frames = (...roles: ('first_frame' | 'last_frame')[]) =>
  videoRequest({}, { mode: 'image-to-video', inputs: roles.map((role) => input(role)) });
export const references = (...types: ('image' | 'video' | 'audio')[]) => {
  const inputs = types.map((type) => input('reference', type));
  return videoRequest({}, { mode: 'multimodal-to-video', inputs });
};

/** The body that each package makes from a request: it contains everything billed or promised. */
export const orderedVideos: [PackageName, string, ProviderRequest, string, object][] = [
  [
    ...(['fal', 'fal-ai/bytedance/seedance/v1.5/pro/text-to-video'] as const),
    text({ duration_seconds: 9, resolution: '1080p', aspect_ratio: '9:16', generate_audio: true }),
    '/fal-ai/bytedance/seedance/v1.5/pro/text-to-video',
    {
      prompt: 'a quiet lake',
      duration: '9',
      resolution: '1080p',
      aspect_ratio: '9:16',
      generate_audio: true,
      seed: 7,
    },
  ],
  [
    ...(['fal', 'fal-ai/veo3.1'] as const),
    text({ duration_seconds: 8, resolution: '2160p' }),
    '/fal-ai/veo3.1',
    {
      prompt: 'a quiet lake',
      duration: '8s',
      resolution: '4k',
      aspect_ratio: '16:9',
      generate_audio: false,
      seed: 7,
    },
  ],
  [
    ...(['fal', 'fal-ai/bytedance/seedance/v1.5/pro/image-to-video'] as const),
    frames('first_frame', 'last_frame'),
    '/fal-ai/bytedance/seedance/v1.5/pro/image-to-video',
    {
      prompt: 'a quiet lake',
      duration: '5',
      resolution: '720p',
      aspect_ratio: '16:9',
      generate_audio: false,
      seed: 7,
      image_url: url('first_frame'),
      end_image_url: url('last_frame'),
    },
  ],
  [
    ...(['fal', 'fal-ai/seedance-2/reference-to-video'] as const),
    references('image', 'image', 'video', 'audio'),
    '/fal-ai/seedance-2/reference-to-video',
    {
      prompt: 'a quiet lake',
      duration: '5',
      resolution: '720p',
      aspect_ratio: '16:9',
      generate_audio: false,
      seed: 7,
      image_urls: [url('reference'), url('reference')],
      video_urls: [url('reference', 'mp4')],
      audio_urls: [url('reference', 'mpeg')],
    },
  ],
  [
    ...(['fal', 'bytedance/seedance-2.0/reference-to-video'] as const),
    references('image'),
    // A partner's endpoint has no fal-ai prefix.
    '/bytedance/seedance-2.0/reference-to-video',
    {
      prompt: 'a quiet lake',
      duration: '5',
      resolution: '720p',
      aspect_ratio: '16:9',
      generate_audio: false,
      seed: 7,
      image_urls: [url('reference')],
    },
  ],
  [
    ...(['fal', 'fal-ai/kling-video/v3/standard/text-to-video'] as const),
    text({ duration_seconds: 12, aspect_ratio: '9:16', generate_audio: true }),
    '/fal-ai/kling-video/v3/standard/text-to-video',
    { prompt: 'a quiet lake', duration: '12', aspect_ratio: '9:16', generate_audio: true },
  ],
  [
    ...(['fal', 'fal-ai/kling-video/v3/pro/image-to-video'] as const),
    frames('first_frame', 'last_frame'),
    '/fal-ai/kling-video/v3/pro/image-to-video',
    {
      prompt: 'a quiet lake',
      duration: '5',
      generate_audio: false,
      start_image_url: url('first_frame'),
      end_image_url: url('last_frame'),
    },
  ],
  [
    ...(['fal', 'fal-ai/minimax/hailuo-2.3/pro/text-to-video'] as const),
    text({ duration_seconds: 6, resolution: '1080p' }),
    '/fal-ai/minimax/hailuo-2.3/pro/text-to-video',
    { prompt: 'a quiet lake' },
  ],
  [
    ...(['fal', 'fal-ai/minimax/hailuo-2.3/standard/image-to-video'] as const),
    frames('first_frame'),
    '/fal-ai/minimax/hailuo-2.3/standard/image-to-video',
    { prompt: 'a quiet lake', duration: '5', image_url: url('first_frame') },
  ],
  [
    ...(['fal', 'fal-ai/veo3.1/first-last-frame-to-video'] as const),
    frames('first_frame', 'last_frame'),
    '/fal-ai/veo3.1/first-last-frame-to-video',
    {
      prompt: 'a quiet lake',
      duration: '5s',
      resolution: '720p',
      aspect_ratio: '16:9',
      generate_audio: false,
      seed: 7,
      first_frame_url: url('first_frame'),
      last_frame_url: url('last_frame'),
    },
  ],
  [
    ...(['fal', 'fal-ai/wan/v2.7/image-to-video'] as const),
    frames('first_frame', 'last_frame'),
    '/fal-ai/wan/v2.7/image-to-video',
    {
      prompt: 'a quiet lake',
      duration: '5',
      resolution: '720p',
      seed: 7,
      image_url: url('first_frame'),
      end_image_url: url('last_frame'),
    },
  ],
  [
    ...(['replicate', 'kwaivgi/kling-v3-video'] as const),
    frames('first_frame', 'last_frame'),
    '/v1/models/kwaivgi/kling-v3-video/predictions',
    {
      input: {
        prompt: 'a quiet lake',
        duration: 5,
        mode: 'standard',
        aspect_ratio: '16:9',
        generate_audio: false,
        start_image: url('first_frame'),
        end_image: url('last_frame'),
      },
    },
  ],
  [
    ...(['replicate', 'google/veo-3.1'] as const),
    references('image', 'image'),
    '/v1/models/google/veo-3.1/predictions',
    {
      input: {
        prompt: 'a quiet lake',
        duration: 5,
        resolution: '720p',
        aspect_ratio: '16:9',
        generate_audio: false,
        seed: 7,
        reference_images: [url('reference'), url('reference')],
      },
    },
  ],
  [
    ...(['replicate', 'minimax/hailuo-2.3'] as const),
    frames('first_frame'),
    '/v1/models/minimax/hailuo-2.3/predictions',
    {
      input: {
        prompt: 'a quiet lake',
        duration: 5,
        resolution: '768p',
        first_frame_image: url('first_frame'),
      },
    },
  ],
  [
    ...(['bfl', 'flux-3-video'] as const),
    text({ duration_seconds: 9, resolution: '1080p', aspect_ratio: '21:9', generate_audio: true }),
    '/v1/flux-3-video',
    {
      mode: 't2v',
      prompt: 'a quiet lake',
      duration: 9,
      resolution: 'fhd',
      aspect_ratio: '21:9',
      generate_audio: true,
    },
  ],
  [
    ...(['bfl', 'flux-3-video'] as const),
    frames('first_frame', 'last_frame'),
    '/v1/flux-3-video',
    {
      mode: 'i2v',
      prompt: 'a quiet lake',
      duration: 5,
      resolution: 'hd',
      aspect_ratio: '16:9',
      generate_audio: false,
      keyframes: [url('first_frame'), url('last_frame')],
    },
  ],
  [
    ...(['google', 'veo-3.1-generate-001'] as const),
    text({ duration_seconds: 8, resolution: '1080p', aspect_ratio: '9:16', generate_audio: true }),
    '/v1beta/models/veo-3.1-generate-001:predictLongRunning',
    {
      instances: [{ prompt: 'a quiet lake' }],
      parameters: {
        sampleCount: 1,
        aspectRatio: '9:16',
        resolution: '1080p',
        durationSeconds: 8,
        seed: 7,
      },
    },
  ],
  [
    ...(['google', 'veo-3.1-generate-001'] as const),
    frames('first_frame', 'last_frame'),
    '/v1beta/models/veo-3.1-generate-001:predictLongRunning',
    {
      instances: [
        {
          prompt: 'a quiet lake',
          image: picture,
          lastFrame: picture,
        },
      ],
      parameters: usual,
    },
  ],
  [
    ...(['google', 'veo-3.1-generate-001'] as const),
    references('image'),
    '/v1beta/models/veo-3.1-generate-001:predictLongRunning',
    {
      instances: [
        {
          prompt: 'a quiet lake',
          referenceImages: [{ image: picture, referenceType: 'asset' }],
        },
      ],
      parameters: usual,
    },
  ],
  [
    ...(['replicate', 'bytedance/seedance-2.0'] as const),
    text({ duration_seconds: 9, resolution: '480p', aspect_ratio: '21:9', generate_audio: true }),
    '/v1/models/bytedance/seedance-2.0/predictions',
    {
      input: {
        prompt: 'a quiet lake',
        duration: 9,
        resolution: '480p',
        aspect_ratio: '21:9',
        generate_audio: true,
        seed: 7,
      },
    },
  ],
  [
    ...(['replicate', 'bytedance/seedance-2.0'] as const),
    frames('first_frame', 'last_frame'),
    '/v1/models/bytedance/seedance-2.0/predictions',
    {
      input: {
        prompt: 'a quiet lake',
        duration: 5,
        resolution: '720p',
        aspect_ratio: '16:9',
        generate_audio: false,
        seed: 7,
        image: url('first_frame'),
        last_frame_image: url('last_frame'),
      },
    },
  ],
  [
    ...(['replicate', 'bytedance/seedance-2.0'] as const),
    references('image', 'video', 'audio'),
    '/v1/models/bytedance/seedance-2.0/predictions',
    {
      input: {
        prompt: 'a quiet lake',
        duration: 5,
        resolution: '720p',
        aspect_ratio: '16:9',
        generate_audio: false,
        seed: 7,
        reference_images: [url('reference')],
        reference_videos: [url('reference', 'mp4')],
        reference_audios: [url('reference', 'mpeg')],
      },
    },
  ],
  [
    ...(['alibaba', 'wan2.6-t2v'] as const),
    text({ resolution: '1080p', aspect_ratio: '3:4', generate_audio: true }),
    '/api/v1/services/aigc/video-generation/video-synthesis',
    {
      model: 'wan2.6-t2v',
      input: { prompt: 'a quiet lake' },
      parameters: { duration: 5, seed: 7, size: '1248*1632', watermark: false },
    },
  ],
  [
    ...(['alibaba', 'wan3-video'] as const),
    frames('first_frame', 'last_frame'),
    '/api/v1/services/aigc/video-generation/video-synthesis',
    {
      model: 'wan3-video',
      input: {
        prompt: 'a quiet lake',
        media: [
          { type: 'first_frame', url: url('first_frame') },
          { type: 'last_frame', url: url('last_frame') },
        ],
      },
      parameters: {
        duration: 5,
        seed: 7,
        resolution: '720P',
        ratio: '16:9',
        audio: false,
        watermark: false,
      },
    },
  ],
  [
    ...(['alibaba', 'wan2.7-r2v'] as const),
    references('image'),
    '/api/v1/services/aigc/video-generation/video-synthesis',
    {
      model: 'wan2.7-r2v',
      input: {
        prompt: 'a quiet lake',
        media: [{ type: 'reference_image', url: url('reference') }],
      },
      parameters: { duration: 5, seed: 7, resolution: '720P', ratio: '16:9', watermark: false },
    },
  ],
  [
    ...(['xai', 'grok-imagine-video-1.5'] as const),
    text({ duration_seconds: 9, resolution: '480p', aspect_ratio: '9:16', generate_audio: true }),
    '/v1/videos/generations',
    {
      model: 'grok-imagine-video-1.5',
      prompt: 'a quiet lake',
      duration: 9,
      resolution: '480p',
      aspect_ratio: '9:16',
      generate_audio: true,
    },
  ],
  [
    ...(['xai', 'grok-imagine-video-1.5'] as const),
    frames('first_frame', 'last_frame'),
    '/v1/videos/generations',
    {
      model: 'grok-imagine-video-1.5',
      prompt: 'a quiet lake',
      duration: 5,
      resolution: '720p',
      aspect_ratio: '16:9',
      generate_audio: false,
      image: { url: url('first_frame') },
      last_frame: { url: url('last_frame') },
    },
  ],
  [
    ...(['xai', 'grok-imagine-video'] as const),
    references('image', 'audio'),
    '/v1/videos/generations',
    {
      model: 'grok-imagine-video',
      prompt: 'a quiet lake',
      duration: 5,
      resolution: '720p',
      aspect_ratio: '16:9',
      generate_audio: false,
      reference_images: [{ url: url('reference') }],
      reference_audios: [{ url: url('reference', 'mpeg') }],
    },
  ],
];
