import {
  allExtras,
  type Capabilities,
  type Extras,
  imageAspectRatios,
  imageResolutions,
  maxLengthOf,
  type ModelEntry,
  rangeOf,
  videoResolutions,
} from '../generated/contract.ts';

type Kind = 'image' | 'video' | 'audio';
type FromModel =
  'modes' | 'resolutions' | 'aspect_ratios' | 'generate_audio' | 'real_person_modes' | 'n';

/** A form's view of a model, or of all models while none is chosen. */
export interface FormModel extends Pick<Capabilities, FromModel | 'output_formats'>, Extras {
  /** `default` is missing if models differ. */
  duration_seconds: { min: number; max: number; default?: number } | null;
  /** The resolution of a price without a chosen one; undefined if models differ. */
  resolution: string | undefined;
  inputs: Record<Kind, { max_count: number }>;
}

/** The parts of a model shown in the form. */
export function formOf({ capabilities, pricing }: ModelEntry): FormModel {
  // The first price example has the default values.
  const resolution = pricing.examples[0]?.parameters.resolution;
  return { ...capabilities, resolution };
}

/** Everything that any of these models accepts, for a model mapped from an earlier step. */
export function unionOf(models: readonly ModelEntry[]): FormModel {
  const all = models.map(formOf);
  const every = <V>(read: (each: FormModel) => readonly V[]) => [...new Set(all.flatMap(read))];
  const maxOf = (kind: Kind) => ({
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
    inputs: { image: maxOf('image'), video: maxOf('video'), audio: maxOf('audio') },
    n: widest(all.flatMap(({ n }) => n ?? [])),
    output_formats: every(({ output_formats }) => output_formats),
    ...widestExtras(all),
  };
}

/** The widest bounds of each fraction and text that any of the models takes. */
function widestExtras(all: readonly FormModel[]): Extras {
  const entries = allExtras.flatMap((row): (readonly [string, object])[] => {
    if (row.kind === 'fraction') {
      const range = widest(all.flatMap((each) => rangeOf(row, each) ?? []));
      return range ? [[row.capability, range]] : [];
    }
    const max_length = Math.max(0, ...all.map((each) => maxLengthOf(row, each) ?? 0));
    return max_length > 0 ? [[row.capability, { max_length }]] : [];
  });
  return Object.fromEntries(entries) as Extras;
}

/** The values in the expected order, unknown ones last. */
function inOrder(order: readonly string[], values: readonly string[]): string[] {
  const ordered = order.filter((each) => values.includes(each));
  return [...ordered, ...values.filter((each) => !order.includes(each))];
}

/** Range from the smallest bound to the largest, with the default if all share one. */
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
