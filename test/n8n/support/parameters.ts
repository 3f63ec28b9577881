/** Price of the `video` below, in credits. */
export const videoCredits = 12;

/** The value of a model field. */
export const model = (value: string) => ({ __rl: true, mode: 'list', value });

/** Parameters of Video: Create. */
export function video(prompt: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    resource: 'video',
    operation: 'create',
    model: model('alpha-2.0-mini'),
    prompt,
    parameters: { durationSeconds: 4, resolution: '480p' },
    download: false,
    ...more,
  };
}

/** Parameters of Generation: Get or Wait. */
export function generation(
  operation: 'get' | 'wait',
  id: unknown,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  const generationId = { __rl: true, mode: 'id', value: id };
  return { resource: 'generation', operation, generationId, ...more };
}
