/* Generated from the gateway's contract by "npm run generate": do not edit. */

/** Options of the parameters, as parseArgs takes them. */
export const parameterOptions = {
  duration: { type: 'string' },
  resolution: { type: 'string' },
  'aspect-ratio': { type: 'string' },
  sound: { type: 'boolean' },
  'negative-prompt': { type: 'string' },
  guidance: { type: 'string' },
  number: { type: 'string', short: 'n' },
  format: { type: 'string' },
  seed: { type: 'string' },
} as const;

/** A parameter's option, and its kind. */
export interface ParameterOption {
  option: keyof typeof parameterOptions;
  kind: 'integer' | 'fraction' | 'choice' | 'flag' | 'text';
}

/** Options by parameter, for videos. */
export const videoOptions: Readonly<Record<string, ParameterOption>> = {
  duration_seconds: { option: 'duration', kind: 'integer' },
  resolution: { option: 'resolution', kind: 'choice' },
  aspect_ratio: { option: 'aspect-ratio', kind: 'choice' },
  generate_audio: { option: 'sound', kind: 'flag' },
  seed: { option: 'seed', kind: 'integer' },
  negative_prompt: { option: 'negative-prompt', kind: 'text' },
  guidance: { option: 'guidance', kind: 'fraction' },
};

/** Options by parameter, for images. */
export const imageOptions: Readonly<Record<string, ParameterOption>> = {
  n: { option: 'number', kind: 'integer' },
  aspect_ratio: { option: 'aspect-ratio', kind: 'choice' },
  resolution: { option: 'resolution', kind: 'choice' },
  output_format: { option: 'format', kind: 'choice' },
  seed: { option: 'seed', kind: 'integer' },
  negative_prompt: { option: 'negative-prompt', kind: 'text' },
  guidance: { option: 'guidance', kind: 'fraction' },
};

/** The options' lines in the help. */
export const optionsHelp = `      --duration <seconds>           videos only
      --resolution <size>            such as 720p or 2k
      --aspect-ratio <ratio>         such as 16:9
      --sound                        videos only
      --negative-prompt <text>
      --guidance <number>
  -n, --number <count>               images only
      --format <png|jpeg|webp>       images only
      --seed <number>`;
