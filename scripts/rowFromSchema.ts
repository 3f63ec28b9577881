import type { Abilities } from '../gateway/providers/src/routeSupport.ts';
import type { Placement, SendRules, ValueForm } from '../gateway/providers/src/sendRules.ts';
import {
  imageAspectRatios,
  imageResolutions,
  videoAspectRatios,
  videoResolutions,
} from '../shared/src/choices.ts';

/** The part of a JSON schema that rows are derived from. */
export interface Schema {
  type?: string;
  enum?: readonly (string | number)[];
  const?: string | number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  $ref?: string;
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
}

/** A provider's OpenAPI document. */
export interface OpenApi {
  components?: { schemas?: Readonly<Record<string, Schema>> };
}

/** A row drafted from a model's schema, and a list of the schema's gaps. */
export interface DraftRow {
  type: 'video' | 'image';
  does: Abilities;
  send: SendRules;
  open: string[];
}

/** Providers' field names for each file. */
const fileFields = {
  firstFrame: [
    ...['start_image_url', 'first_frame_url', 'image_url'],
    ...['start_image', 'first_frame_image', 'first_frame', 'image'],
  ],
  lastFrame: [
    ...['end_image_url', 'last_frame_url', 'tail_image_url'],
    ...['end_image', 'last_frame_image', 'last_frame'],
  ],
  images: [
    ...['image_urls', 'reference_image_urls', 'reference_images'],
    ...['image_input', 'input_images'],
  ],
  videos: ['video_urls', 'reference_video_urls', 'reference_videos'],
  audios: ['audio_urls', 'reference_audio_urls', 'reference_audios'],
} as const;

/**
 * Derives a row from the schema of a model's input. Nothing is guessed: gaps in the schema, such as the sizes of a
 * model without a size parameter, are listed for a person to look up.
 * @throws Error if the document has no such schema.
 */
export function rowFromSchema(document: OpenApi, inputName: string): DraftRow {
  const schemas = document.components?.schemas ?? {};
  const input = schemas[inputName];
  if (!input?.properties) throw new Error(`the document has no schema ${inputName}`);
  const properties = Object.fromEntries(
    Object.entries(input.properties).map(([name, each]) => [
      name,
      resolveReferences(each, schemas),
    ]),
  );
  const required = new Set(input.required ?? []);
  const draft: DraftRow = { type: 'image', does: {}, send: {}, open: [] };
  const isVideo = 'duration' in properties || /video/i.test(inputName);
  if (isVideo) draft.type = 'video';
  const send: Record<string, Placement> = {};
  addDuration(draft, send, properties['duration']);
  addChoices(draft, send, properties);
  if (isVideo) {
    const audio = ['generate_audio', 'enable_audio'].find((name) => name in properties);
    if (audio) Object.assign(send, { audio });
    draft.does = { ...draft.does, ...(audio && { audio: true }) };
    if (!audio) draft.open.push('whether its videos have sound');
  }
  if ('seed' in properties) send['seed'] = '@seed';
  addFiles(draft, send, properties, required);
  return { ...draft, send };
}

type Properties = Readonly<Record<string, Schema>>;

/** Replaces the references in a schema with the schemas that they name. */
function resolveReferences(schema: Schema, schemas: Properties, depth = 5): Schema {
  if (depth === 0) return schema;
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? [])];
  const named = schema.$ref === undefined ? [] : [schemas[schema.$ref.replace(/^.*\//, '')] ?? {}];
  return [...named, ...parts]
    .map((part) => resolveReferences(part, schemas, depth - 1))
    .reduce((all, part) => ({ ...part, ...all }), schema);
}

function addDuration(
  draft: DraftRow,
  send: Record<string, Placement>,
  schema: Schema | undefined,
): void {
  if (draft.type === 'image') return;
  const texts = schema?.enum?.map(String) ?? [];
  const seconds = texts.map((text) => Number(/^(\d+)s?$/.exec(text)?.[1])).filter(Number.isInteger);
  const { minimum: min, maximum: max } = schema ?? {};
  if (seconds.length > 0) {
    draft.does.seconds = seconds;
    const unit = texts[0]?.endsWith('s') ? 's' : '';
    const isText = typeof schema?.enum?.[0] === 'string';
    send['duration'] = isText ? { duration: `{s}${unit}` } : 'duration';
  } else if (min !== undefined && max !== undefined) {
    draft.does.seconds = { min, max };
    send['duration'] = schema?.type === 'string' ? { duration: '{s}' } : 'duration';
  } else {
    draft.open.push('the length of its videos');
  }
}

/** Our name for a provider's resolution or ratio. */
function ourWord(text: string, type: DraftRow['type']): string {
  const lower = text.toLowerCase();
  return type === 'video' && lower === '4k' ? '2160p' : lower;
}

function addChoices(
  draft: DraftRow,
  send: Record<string, Placement>,
  properties: Properties,
): void {
  const { type } = draft;
  const words = type === 'video' ? videoResolutions : imageResolutions;
  const ratios = type === 'video' ? videoAspectRatios : imageAspectRatios;
  const choose = (names: readonly string[], ours: readonly string[]) => {
    const field = names.find((name) => properties[name]?.enum);
    const values = (field === undefined ? [] : (properties[field]?.enum ?? [])).map(String);
    const ourValues = values.filter((value) => ours.includes(ourWord(value, type)));
    const map = Object.fromEntries(ourValues.map((value) => [ourWord(value, type), value]));
    const isSame = ourValues.every((value) => ourWord(value, type) === value);
    const placement: Placement = isSame
      ? (field ?? '')
      : { [field ?? '']: map satisfies ValueForm };
    return ourValues.length === 0 ? null : { found: Object.keys(map), placement };
  };
  const resolution = choose(['resolution', 'size'], words);
  if (resolution) {
    draft.does.resolutions = resolution.found;
    send['resolution'] = resolution.placement;
  } else if ('image_size' in properties) {
    send['size'] = '@size';
    draft.open.push('its resolutions and ratios: it takes sizes in pixels');
    return;
  } else {
    draft.open.push('its resolution');
  }
  const ratio = choose(['aspect_ratio', 'ratio'], ratios);
  if (ratio) {
    draft.does.aspectRatios = ratio.found;
    send['ratio'] = ratio.placement;
  } else {
    draft.open.push('its aspect ratio');
  }
}

function addFiles(
  draft: DraftRow,
  send: Record<string, Placement>,
  properties: Properties,
  required: ReadonlySet<string>,
): void {
  const filled = Object.fromEntries(
    Object.entries(fileFields).flatMap(([promise, names]) => {
      const field = names.find((name) => name in properties);
      if (field === undefined || (draft.type === 'image' && promise !== 'images')) return [];
      send[promise] = field;
      return [[promise, field]];
    }),
  ) as Partial<Record<keyof typeof fileFields, string>>;
  const needs = (promise: keyof typeof fileFields) => required.has(filled[promise] ?? '');
  const references = (['images', 'videos', 'audios'] as const).flatMap((promise) => {
    const field = filled[promise];
    if (field === undefined) return [];
    const { maxItems } = properties[field] ?? {};
    if (maxItems === undefined) draft.open.push(`how many files ${field} takes`);
    return [[promise.replace(/s$/, ''), maxItems ?? 1] as const];
  });
  if (references.length > 0) draft.does.references = Object.fromEntries(references);
  if (draft.type === 'image') {
    if (needs('images')) draft.does.requires = ['references'];
    return;
  }
  const isPictures = needs('firstFrame');
  const isReferences = needs('images');
  draft.does.modes = [
    ...(isPictures || isReferences ? [] : ['text-to-video']),
    ...(filled.firstFrame && !isReferences ? ['image-to-video'] : []),
    ...(filled.images && !isPictures ? ['multimodal-to-video'] : []),
  ];
  if (filled.lastFrame) draft.does.lastFrame = true;
  if (needs('lastFrame')) draft.does.requires = ['lastFrame'];
}
