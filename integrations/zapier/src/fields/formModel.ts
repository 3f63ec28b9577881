import {
  imageAspectRatios,
  imageResolutions,
  videoResolutions,
  type Capabilities,
  type ModelEntry,
} from '../generated/contract.ts';

type Kind = 'image' | 'video' | 'audio';
type FromModel =
  'modes' | 'resolutions' | 'aspect_ratios' | 'generate_audio' | 'real_person_modes' | 'n';

/** A form's view of a model, or of all models while none is chosen. */
export interface FormModel extends Pick<Capabilities, FromModel | 'output_formats'> {
  /** `default` is missing where models differ. */
  duration_seconds: { min: number; max: number; default?: number } | null;
  /** The one that a price is for when none is given; undefined where models differ. */
  resolution: string | undefined;
  inputs: Record<Kind, { max_count: number }>;
}

/** The parts of one model that the form shows. */
export function formOf({ capabilities, pricing }: ModelEntry): FormModel {
  // The first example of a price is that of the usual values.
  const resolution = pricing.examples[0]?.parameters.resolution;
  return { ...capabilities, resolution };
}

/** Everything that any of these models takes, for a model that is mapped from an earlier step. */
export function unionOf(models: readonly ModelEntry[]): FormModel {
  const all = models.map(formOf);
  const every = <V>(read: (each: FormModel) => readonly V[]) => [...new Set(all.flatMap(read))];
  const most = (kind: Kind) => ({
    max_count: Math.max(0, ...all.map(({ inputs }) => inputs[kind].max_count)),
  });
  const resolutions = every((each) => each.resolutions);
  const ratios = every((each) => each.aspect_ratios);
  return {
    modes: every(({ modes }) => modes),
    duration_seconds: widest(all.flatMap(({ duration_seconds: range }) => range ?? [])),
    resolution: all.every((each) => each.resolution === all[0]?.resolution)
      ? all[0]?.resolution
      : undefined,
    resolutions: inOrder([...videoResolutions, ...imageResolutions], resolutions),
    aspect_ratios: inOrder(imageAspectRatios, ratios),
    generate_audio: all.some(({ generate_audio }) => generate_audio),
    real_person_modes: every(({ real_person_modes }) => real_person_modes),
    inputs: { image: most('image'), video: most('video'), audio: most('audio') },
    n: widest(all.flatMap(({ n }) => n ?? [])),
    output_formats: every(({ output_formats }) => output_formats),
  };
}

/** The values in the order in which people expect them; those that are not known come last. */
function inOrder(order: readonly string[], values: readonly string[]): string[] {
  const known = order.filter((each) => values.includes(each));
  return [...known, ...values.filter((each) => !order.includes(each))];
}

/** From the smallest bound to the largest, with the default that all of them have. */
function widest(ranges: readonly { min: number; max: number; default?: number }[]) {
  if (ranges.length === 0) return null;
  const usual = ranges[0]?.default;
  return {
    min: Math.min(...ranges.map(({ min }) => min)),
    max: Math.max(...ranges.map(({ max }) => max)),
    ...(usual !== undefined &&
      ranges.every((range) => range.default === usual) && { default: usual }),
  };
}
