import type { ImageParameters, Log, VideoParameters } from '@framegate/contract';
import { createRoutes } from '../src/createRoutes.ts';
import type { Network } from '../src/network.ts';
import type {
  ProviderInput,
  ProviderOutput,
  ProviderRequest,
  Route,
  Submission,
} from '../src/route.ts';
import type { ImageTimes } from '../src/routeParts.ts';
import { parseRoutesFile } from '../src/routesFile.ts';
import { openNetwork } from './openNetwork.ts';

/** Errors that a route logged, and warnings from opening its file. */
export interface LoggedProblems {
  errors: object[];
  warnings: object[];
}

const opened: (() => Promise<void>)[] = [];

/** Closes the connections of all opened routes; for `afterAll`. */
export async function closeRoutes(): Promise<void> {
  for (const close of opened.splice(0)) await close();
}

/** The only route of a routes file with one provider, `p`. */
export async function openRoute(
  provider: object,
  model: string,
  {
    type = 'video',
    route = {},
    key = 'secret-key',
    imageTimes,
    network = openNetwork,
    now = Date.now,
  }: {
    type?: 'video' | 'image';
    route?: object;
    key?: string;
    imageTimes?: ImageTimes;
    network?: Network;
    /** The time in ms. */
    now?: () => number;
  } = {},
): Promise<{ route: Route; observed: LoggedProblems }> {
  const json = {
    providers: { p: { apiKeyEnv: 'KEY', ...provider } },
    models: { m: [{ provider: 'p', model, ...route }] },
  };
  const observed: LoggedProblems = { errors: [], warnings: [] };
  const log: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: (fields) => observed.warnings.push(fields),
    error: (fields) => observed.errors.push(fields),
  };
  const routes = await createRoutes({
    file: parseRoutesFile(json, { KEY: key }, [{ id: 'm', type }]),
    preview: null,
    log,
    network,
    now,
    ...(imageTimes && { imageTimes }),
  });
  opened.push(() => routes.close());
  const [only] = routes.forModel('m');
  if (!only) throw new Error('no route');
  return { route: only, observed };
}

/** A request for a video; text to video by default. */
export function videoRequest(
  parameters: Partial<VideoParameters> = {},
  { mode = 'text-to-video', inputs = [], prompt = 'a quiet lake' }: Partial<ProviderRequest> = {},
): ProviderRequest {
  return {
    generationId: 'gen_1',
    type: 'video',
    mode,
    prompt,
    inputs,
    parameters: {
      duration_seconds: 5,
      resolution: '720p',
      aspect_ratio: '16:9',
      generate_audio: false,
      seed: 7,
      real_person_mode: false,
      ...parameters,
    },
  };
}

/** A request for images. */
export function imageRequest(
  parameters: Partial<ImageParameters> = {},
  { inputs = [], prompt = 'a quiet lake' }: Partial<ProviderRequest> = {},
): ProviderRequest {
  return {
    generationId: 'gen_1',
    type: 'image',
    mode: null,
    prompt,
    inputs,
    parameters: {
      n: 1,
      aspect_ratio: '1:1',
      resolution: '1k',
      output_format: 'png',
      seed: 7,
      ...parameters,
    },
  };
}

/** An input in the store: its bytes, and a URL that leads nowhere. */
export function input(
  role: ProviderInput['role'],
  type: ProviderInput['type'] = 'image',
  bytes = 'picture',
): ProviderInput {
  const subtype = { image: 'png', video: 'mp4', audio: 'mpeg' }[type];
  return {
    type,
    role,
    mediaType: `${type}/${subtype}`,
    read: async () => Buffer.from(bytes),
    url: () => `https://media.gateway.example/in/${role}.${subtype}?sig=1`,
  };
}

/** Verdict on a submission, without the raw response for staff. */
export function wordOf(submission: Submission): object {
  const word = { ...submission };
  delete word.response;
  return word;
}

/** Reads an output to its end. */
export async function readOutput(output: ProviderOutput | undefined): Promise<Buffer> {
  if (!output) throw new Error('no output');
  const data = await output.read(never);
  if (data instanceof Uint8Array) return Buffer.from(data);
  const chunks: Uint8Array[] = [];
  for await (const chunk of data) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** A signal that is never aborted. */
export const never = new AbortController().signal;
