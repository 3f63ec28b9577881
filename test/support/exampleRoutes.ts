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
          supports: {
            lastFrame: true,
            audio: true,
            references: { image: 9, video: 3, audio: 3 },
          },
        },
        { provider: 'f', model: 'vendor/upstream-model' },
      ],
    },
  };
}
