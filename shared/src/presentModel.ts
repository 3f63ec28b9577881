import type { Capabilities, ModelEntry } from './generated/wire.ts';
import type { Model } from './model.ts';
import { allExtras } from './parameterReaders.ts';
import type { Extras } from './parameters.ts';
import { pricingOf } from './pricing.ts';

/**
 * Converts a model for GET /models, without an announced price. Every entry has all fields, with `null`, `[]` or
 * `false` where a field does not apply, so that workflow tools can use the same path for all models.
 */
export function presentModel(model: Model): ModelEntry {
  return {
    id: model.id,
    object: 'model',
    type: model.type,
    display_name: model.displayName,
    capabilities: capabilitiesOf(model),
    pricing: pricingOf(model),
    next_pricing: null,
    typical_seconds: model.typicalSeconds,
    max_seconds: model.maxSeconds,
    deprecated_at: model.deprecatedAt,
    sunset_at: model.sunsetAt,
  };
}

/** The abilities of a model, as in its entry of GET /models. */
export function capabilitiesOf(model: Model): Capabilities {
  const video = model.type === 'video' ? model : undefined;
  const image = model.type === 'image' ? model : undefined;
  return {
    modes: [...(video?.modes ?? [])],
    duration_seconds: video === undefined ? null : { ...video.duration },
    resolutions: [...model.resolutions],
    aspect_ratios: [...model.aspectRatios],
    generate_audio: video?.generateAudio ?? false,
    real_person_modes: [...(video?.realPersonModes ?? [])],
    max_prompt_length: model.maxPromptLength,
    inputs: {
      image: {
        max_count: model.inputs.image.maxCount,
        max_bytes: model.inputs.image.maxBytes,
        max_pixels: model.inputs.image.maxPixels,
      },
      video: timedLimits(model.inputs.video),
      audio: timedLimits(model.inputs.audio),
    },
    n: image === undefined ? null : { ...image.n },
    output_formats: [...(image?.outputFormats ?? [])],
    ...(Object.fromEntries(
      allExtras.map(({ capability: name }) => [name, model.extras?.[name] ?? null]),
    ) as Required<Extras>),
  };
}

function timedLimits(limits: Model['inputs']['video']): Capabilities['inputs']['video'] {
  return {
    max_count: limits.maxCount,
    max_bytes: limits.maxBytes,
    max_seconds: limits.maxSeconds,
  };
}
