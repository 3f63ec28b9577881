import type { Model } from '@framegate/contract';
import type { RoutedRequest } from '@framegate/provider-routes';

type OrderParameters = RoutedRequest['parameters'];

/** Every size that a model makes: each resolution in every ratio, the default ratio first. */
export function sizesOf({ resolutions, aspectRatios, defaults }: Model) {
  const ratios = [...new Set<string>([defaults.aspectRatio, ...aspectRatios])];
  return resolutions.flatMap((resolution) =>
    ratios.map((aspect_ratio) => ({ resolution, aspect_ratio, seed: 1 })),
  );
}

/**
 * Every amount of work that an order of a model can have, the smallest first: its number of images, or its length in
 * seconds, without and with sound.
 */
export function* amountsOf(model: Model): Generator<Partial<OrderParameters>> {
  if (model.type === 'image') {
    const { outputFormat: output_format } = model.defaults;
    for (let count = model.n.min; count <= model.n.max; count += 1) {
      yield { n: count, output_format };
    }
    return;
  }
  for (let seconds = model.duration.min; seconds <= model.duration.max; seconds += 1) {
    for (const generate_audio of model.generateAudio ? [false, true] : [false]) {
      yield { duration_seconds: seconds, generate_audio, real_person_mode: false };
    }
  }
}

/** The parameters of an order of this size and amount. */
export const orderParameters = (size: ReturnType<typeof sizesOf>[number], amount: object) =>
  ({ ...size, ...amount }) as OrderParameters;
