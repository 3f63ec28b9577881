import { parseArgs } from 'node:util';
import type { CreateImage, CreateVideo } from '../generated/api.ts';
import {
  imageOptions,
  type ParameterOption,
  parameterOptions,
  videoOptions,
} from '../generated/parameterOptions.ts';
import { CommandError } from './io.ts';

const commonOptions = {
  model: { type: 'string', short: 'm' },
  ...parameterOptions,
  'first-frame': { type: 'string' },
  'last-frame': { type: 'string' },
  image: { type: 'string', multiple: true },
  video: { type: 'string', multiple: true },
  audio: { type: 'string', multiple: true },
  consent: { type: 'string' },
  'max-credits': { type: 'string' },
  'idempotency-key': { type: 'string' },
  output: { type: 'string', short: 'o' },
  timeout: { type: 'string' },
  'no-wait': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  'retry-failed': { type: 'boolean' },
  'base-url': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

/** A parsed command line. */
export type Arguments = ReturnType<typeof parseArguments>;

/** @throws CommandError for an unknown option. */
export function parseArguments(argv: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: commonOptions,
      allowPositionals: true,
    });
    const [command = 'help', ...rest] = positionals;
    return { command, rest, values };
  } catch (error) {
    throw new CommandError(2, `${(error as Error).message} See: framegate help`);
  }
}

/** The number in an option. @throws CommandError if it is not a number. */
export function numberOf(
  { values }: Arguments,
  name: ParameterOption['option'] | 'max-credits' | 'timeout',
  isWhole = true,
) {
  const text = values[name];
  if (text === undefined) return undefined;
  const [form, what] = isWhole
    ? [/^\d{1,15}$/, 'a whole number']
    : [/^-?\d{1,15}(\.\d{1,15})?$/, 'a number'];
  if (typeof text === 'string' && form.test(text)) return Number(text);
  throw new CommandError(2, `--${name} takes ${what}, not "${text}".`);
}

/** The single argument required by a command. */
export function oneOf({ command, rest }: Arguments, what: string): string {
  const [word, ...more] = rest;
  if (word !== undefined && more.length === 0) return word;
  const why =
    word === undefined ? `There is no ${what}` : `There is more than one ${what}: quote it`;
  throw new CommandError(2, `${why}. Usage: framegate ${command} "<${what}>"`);
}

/** The model that a command requires. @throws CommandError without one. */
export function modelOf({ values }: Arguments): string {
  if (values.model !== undefined) return values.model;
  throw new CommandError(2, 'Choose a model with -m: "framegate models" lists them.');
}

/** The body of POST /videos. The API checks the values; its messages list the choices. */
export function videoOf(args: Arguments): CreateVideo {
  const { values } = args;
  const frame = (url: string | undefined, role: 'first_frame' | 'last_frame') =>
    url === undefined ? [] : [{ type: 'image' as const, url, role }];
  const frames = [
    ...frame(values['first-frame'], 'first_frame'),
    ...frame(values['last-frame'], 'last_frame'),
  ];
  const references = (['image', 'video', 'audio'] as const).flatMap((type) =>
    (values[type] ?? []).map((url) => ({ type, url })),
  );
  const inputs = [...frames, ...references];
  const { consent } = values;
  return {
    model: modelOf(args),
    mode:
      frames.length > 0
        ? 'image-to-video'
        : references.length > 0
          ? 'multimodal-to-video'
          : 'text-to-video',
    prompt: oneOf(args, 'prompt'),
    ...(inputs.length > 0 && { inputs }),
    parameters: videoParametersOf(args),
    ...(consent !== undefined && {
      compliance: { rights_confirmed: true, consent_reference: consent },
    }),
  };
}

/** The body of POST /images. */
export function imageOf(args: Arguments): CreateImage {
  const inputs = (args.values.image ?? []).map((url) => ({ type: 'image' as const, url }));
  return {
    model: modelOf(args),
    prompt: oneOf(args, 'prompt'),
    ...(inputs.length > 0 && { inputs }),
    parameters: imageParametersOf(args),
  };
}

type VideoParameters = NonNullable<CreateVideo['parameters']>;
type ImageParameters = NonNullable<CreateImage['parameters']>;

/** `parameters` of a video, without missing options. */
export function videoParametersOf(args: Arguments): VideoParameters {
  const isRealPerson = args.values.consent !== undefined;
  return {
    ...parametersOf(args, videoOptions),
    ...(isRealPerson && { real_person_mode: true }),
  };
}

/** `parameters` of images, without missing options. */
export function imageParametersOf(args: Arguments): ImageParameters {
  return parametersOf(args, imageOptions);
}

/** The parameters with an option. Their values are passed on as typed; the API lists the valid ones. */
function parametersOf(args: Arguments, options: Readonly<Record<string, ParameterOption>>): object {
  const values = Object.entries(options).map(([name, { option, kind }]) => [
    name,
    kind === 'integer' || kind === 'fraction'
      ? numberOf(args, option, kind === 'integer')
      : args.values[option],
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as object;
}
