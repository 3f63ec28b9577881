import { statedVideo } from './statedSupport.ts';

/** A routes file with every kind of provider. */
export function exampleRoutes() {
  return {
    providers: {
      preview: { kind: 'preview-renderer' },
      f: {
        kind: 'ai-sdk',
        package: '@ai-sdk/fal',
        factory: 'createFal',
        apiKeyEnv: 'FAL_API_KEY',
        options: {},
        maxConcurrent: 20,
        rewriteOrigins: { 'https://queue.fal.run': 'https://proxy.example' },
        mediaHosts: ['*.media.example'],
        allowPrivateNetwork: false,
        errorRules: [{ match: 'content_policy', code: 'output_rejected' }],
      },
      ark: {
        kind: 'model-ark',
        apiKeyEnv: 'ARK_API_KEY',
        baseURL: 'https://ark.example/api/v3',
        mediaHosts: ['files.example'],
      },
    },
    models: {
      'alpha-2.0-pro': [
        {
          provider: 'ark',
          model: 'upstream-model-id',
          options: {},
          realPersonOptions: {},
          does: statedVideo,
        },
        { provider: 'f', model: 'bytedance/seedance-2.0/text-to-video' },
      ],
    },
  };
}
