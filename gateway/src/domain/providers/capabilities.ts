import {
  allExtras,
  type Capabilities,
  capabilitiesOf,
  didYouMean,
  type Extra,
  type Extras,
  inputTypes,
  maxLengthOf,
  type Model,
  rangeOf,
} from '@framegate/contract';
import type { Report } from '../installation/fileProblems.ts';

/** Any part of a value, at all depths; lists only as a whole. */
export type PartsOf<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Name in keyof T]?: PartsOf<NonNullable<T[Name]>> | (null extends T[Name] ? null : never) }
    : T;

/**
 * The capabilities of an entry, limited to the most that it may have.
 * @param isNew Whether real-person mode, fractions and texts must be stated.
 */
export function narrow(
  bounds: Model,
  isNew: boolean,
  stated: PartsOf<Capabilities>,
  report: Report,
): Capabilities {
  const allowed = capabilitiesOf(bounds);
  const at = (...path: string[]) => ['capabilities', ...path];
  const list = <T extends string>(name: ListName, may: readonly T[], mayBeEmpty = false): T[] => {
    const values = stated[name] as readonly string[] | undefined;
    if (values === undefined) return [...may];
    for (const [index, value] of values.entries()) {
      if (!may.some((each) => each === value)) {
        report([...at(name), index], `is "${value}", ${notOffered(value, bounds, may)}`);
      }
    }
    if (values.length === 0 && may.length > 0 && !mayBeEmpty) {
      report(at(name), 'must name at least one');
    }
    // In the usual order, regardless of the file's order.
    return among(values, may);
  };
  const atMost = (path: string[], value: number | undefined, max: number): number => {
    if (value !== undefined && value > max) report(at(...path), `must be at most ${max}`);
    return value ?? max;
  };
  const range = <R extends { min: number; max: number }>(
    name: 'duration_seconds' | 'n',
    may: R | null,
  ): R | null => {
    const part = stated[name];
    if (may === null) {
      if (part) report(at(name), `must be null: ${bounds.id} makes ${bounds.type}s`);
      return null;
    }
    const next = { ...may, ...part };
    const { min, max } = next;
    if (min < may.min || max > may.max || min > max) {
      report(at(name), `must lie within ${may.min} to ${may.max}, with min at most max`);
    }
    const usual = 'default' in next ? next.default : min;
    if (usual < min || usual > max) report(at(name, 'default'), `must lie within ${min} to ${max}`);
    return next;
  };
  const inputs = structuredClone(allowed.inputs);
  for (const type of inputTypes) {
    const { max_count: count, ...others } = stated.inputs?.[type] ?? {};
    const limits = inputs[type];
    limits.max_count = atMost(['inputs', type, 'max_count'], count, limits.max_count);
    for (const [name, value] of Object.entries(others)) {
      const limit = Object.entries(limits).find(([each]) => each === name)?.[1];
      // The limits of a file are the same wherever it is used.
      if (value !== limit) report(at('inputs', type, name), `must be ${limit}`);
    }
  }
  if (stated.generate_audio === true && !allowed.generate_audio) {
    report(at('generate_audio'), `must be false: ${bounds.id} makes no sound`);
  }
  const extra = (row: Extra) => {
    const part = stated[row.capability] ?? null;
    if (part === null) return null;
    const allowedText = describeBounds(row, allowed);
    if (allowedText === null) {
      report(at(row.capability), `must be null: ${bounds.id} does not take it`);
    } else if (!isWithin(row, stated, allowed)) {
      report(at(row.capability), `must lie within ${allowedText}`);
    }
    return part;
  };
  const modes = list('modes', allowed.modes);
  const realPerson =
    isNew && stated.real_person_modes === undefined
      ? []
      : list('real_person_modes', allowed.real_person_modes, true);
  return {
    modes,
    duration_seconds: range('duration_seconds', allowed.duration_seconds),
    resolutions: list('resolutions', allowed.resolutions),
    aspect_ratios: list('aspect_ratios', allowed.aspect_ratios),
    generate_audio: stated.generate_audio ?? allowed.generate_audio,
    real_person_modes: among(modes, realPerson),
    max_prompt_length: atMost(
      ['max_prompt_length'],
      stated.max_prompt_length,
      allowed.max_prompt_length,
    ),
    inputs,
    n: range('n', allowed.n),
    output_formats: list('output_formats', allowed.output_formats),
    ...(Object.fromEntries(
      allExtras.map((row) => [row.capability, extra(row)]),
    ) as Required<Extras>),
  };
}

type Bounds = Readonly<Partial<Record<keyof Capabilities, unknown>>>;

/** The bounds of a fraction or text in words; null if there are none. */
function describeBounds(row: Extra, allowed: Bounds): string | null {
  if (row.kind === 'text') {
    const max = maxLengthOf(row, allowed);
    return max === null ? null : `${max} characters`;
  }
  const range = rangeOf(row, allowed);
  return range && `${range.min} to ${range.max}, with min at most max`;
}

function isWithin(row: Extra, stated: Bounds, allowed: Bounds): boolean {
  if (row.kind === 'text') {
    return Number(maxLengthOf(row, stated)) <= Number(maxLengthOf(row, allowed));
  }
  const [part, may] = [rangeOf(row, stated), rangeOf(row, allowed)];
  return (
    part !== null &&
    may !== null &&
    part.min >= may.min &&
    part.min <= part.max &&
    part.max <= may.max
  );
}

type ListName = 'modes' | 'resolutions' | 'aspect_ratios' | 'real_person_modes' | 'output_formats';

function notOffered(value: string, { id }: Model, may: readonly string[]): string {
  const offer = may.length === 0 ? 'nothing' : may.join(', ');
  return `which ${id} cannot offer; it can offer ${offer}${didYouMean(value, may)}`;
}

/** The model with other capabilities; defaults that it no longer offers are replaced by the nearest ones. */
export function withCapabilities(bounds: Model, capabilities: Capabilities): Model {
  const model = { ...bounds };
  delete model.extras;
  const { image, video, audio } = capabilities.inputs;
  const extras = allExtras.flatMap(({ capability: name }) =>
    capabilities[name] ? [[name, capabilities[name]]] : [],
  );
  const both = {
    ...(extras.length > 0 && { extras: Object.fromEntries(extras) as Extras }),
    maxPromptLength: capabilities.max_prompt_length,
    inputs: {
      image: {
        maxCount: image.max_count,
        maxBytes: image.max_bytes,
        maxPixels: image.max_pixels,
      },
      video: {
        maxCount: video.max_count,
        maxBytes: video.max_bytes,
        maxSeconds: video.max_seconds,
      },
      audio: {
        maxCount: audio.max_count,
        maxBytes: audio.max_bytes,
        maxSeconds: audio.max_seconds,
      },
    },
  };
  if (model.type === 'video') {
    const resolutions = among(capabilities.resolutions, model.resolutions);
    const aspectRatios = among(capabilities.aspect_ratios, model.aspectRatios);
    const { resolution, aspectRatio, generateAudio } = model.defaults;
    return {
      ...model,
      ...both,
      modes: capabilities.modes,
      realPersonModes: capabilities.real_person_modes,
      duration: capabilities.duration_seconds ?? model.duration,
      generateAudio: capabilities.generate_audio,
      resolutions,
      aspectRatios,
      defaults: {
        resolution: usual(resolution, resolutions),
        aspectRatio: usual(aspectRatio, aspectRatios),
        generateAudio: generateAudio && capabilities.generate_audio,
      },
    };
  }
  const resolutions = among(capabilities.resolutions, model.resolutions);
  const aspectRatios = among(capabilities.aspect_ratios, model.aspectRatios);
  const count = capabilities.n ?? model.n;
  const { defaults } = model;
  return {
    ...model,
    ...both,
    resolutions,
    aspectRatios,
    outputFormats: capabilities.output_formats,
    n: count,
    defaults: {
      n: Math.min(Math.max(defaults.n, count.min), count.max),
      resolution: usual(defaults.resolution, resolutions),
      aspectRatio: usual(defaults.aspectRatio, aspectRatios),
      outputFormat: usual(defaults.outputFormat, capabilities.output_formats),
    },
  };
}

/** The values of a list that are offered, in the order of the list. */
const among = <T extends string>(offered: readonly string[], list: readonly T[]): T[] =>
  list.filter((each) => offered.includes(each));

const usual = <T>(preferred: T, offered: readonly T[]): T =>
  offered.includes(preferred) ? preferred : (offered[0] ?? preferred);
