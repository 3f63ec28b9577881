import { access, constants, stat } from 'node:fs/promises';
import { extname, join, parse } from 'node:path';
import type { CompletedGeneration, CreateAndWaitOptions } from '../client.ts';
import type { Generation, Model } from '../generated/api.ts';
import { findDestination } from '../node/files.ts';
import { Framegate } from '../node/index.ts';
import { standardPlatform } from '../platform.ts';
import { price } from '../price.ts';
import { completeSettings } from '../settings.ts';
import { userAgent } from '../version.ts';
import {
  type Arguments,
  imageOf,
  imageParametersOf,
  modelOf,
  numberOf,
  oneOf,
  videoOf,
  videoParametersOf,
} from './arguments.ts';
import { runBatchFile } from './batch/command.ts';
import { readLogin, writeLogin } from './configFile.ts';
import { CommandError, type Io, isForPrograms, numberPath, type ResultPrinter } from './io.ts';
import { runBridge } from './mcp/bridge.ts';
import { showProgress } from './progress.ts';

/** Carries out one command. */
type Command = (args: Arguments, io: Io, say: ResultPrinter) => Promise<void>;

/** Every command by its name. */
export const commands: Readonly<Record<string, Command>> = {
  async login(args, io, say) {
    const { FRAMEGATE_URL, FRAMEGATE_KEY } = io.env;
    const ask = async (question: string, isSecret: boolean) =>
      (await io.ask(question, { isSecret })).trim();
    const setUrl = args.values['base-url'] ?? FRAMEGATE_URL;
    const baseUrl = setUrl ?? (await ask('Base URL, such as https://api.example.com/v1: ', false));
    const apiKey = FRAMEGATE_KEY ?? (await ask('API key: ', true));
    const framegate = new Framegate({ baseUrl, apiKey, ...optionsOf(io) });
    const { available } = await framegate.credits.balance({ signal: io.signal });
    const file = await writeLogin(io.configFolder, { baseUrl, apiKey });
    say({ event: 'login', file, available }, `Stored in ${file}. ${available} credits available.`);
  },

  async video(args, io, say) {
    const body = videoOf(args);
    await make(args, io, say, async (framegate, options) =>
      args.values['no-wait'] === true
        ? framegate.videos.create(body, options)
        : framegate.videos.createAndWait(body, options),
    );
  },

  async image(args, io, say) {
    const body = imageOf(args);
    await make(args, io, say, async (framegate, options) =>
      args.values['no-wait'] === true
        ? framegate.images.create(body, options)
        : framegate.images.createAndWait(body, options),
    );
  },

  async wait(args, io, say) {
    const id = oneOf(args, 'generation');
    await make(args, io, say, (framegate, options) => framegate.generations.wait(id, options));
  },

  async models(args, io, say) {
    const framegate = await connect(args, io);
    for (const model of await framegate.models.list({ signal: io.signal })) {
      say(model, modelLine(model));
    }
  },

  async price(args, io, say) {
    const id = modelOf(args);
    const framegate = await connect(args, io);
    const model = (await framegate.models.list({ signal: io.signal })).find(
      (each) => each.id === id,
    );
    if (!model) {
      throw new CommandError(2, `Your key cannot use the model ${id}. See: framegate models`);
    }
    const isVideo = model.type === 'video';
    const credits = price(model, isVideo ? videoParametersOf(args) : imageParametersOf(args));
    say({ model: id, cost_credits: credits }, `${credits} credits`);
  },

  async balance(args, io, say) {
    const framegate = await connect(args, io);
    const balance = await framegate.credits.balance({ signal: io.signal });
    const { available, in_flight: inFlight } = balance;
    say(balance, `${available} credits available, ${inFlight} in running generations`);
  },

  async batch(args, io, say) {
    const { output } = args.values;
    if (output !== undefined) await confirmSending(() => requireFolder(output));
    await runBatchFile(args, io, say, await connect(args, io));
  },

  async mcp(args, io) {
    const settings = completeSettings({ ...(await takeLogin(args, io)), ...optionsOf(io) });
    const { lines, signal, stdout } = io;
    if (!lines) throw new CommandError(2, 'There is no input to read messages from.');
    const write = (message: object) => stdout.write(`${JSON.stringify(message)}\n`);
    await runBridge(settings, { lines, write, signal }, numberOf(args, 'max-credits'));
  },
};

/** Reads or makes a generation, shows its progress, and downloads its files. */
async function make(
  args: Arguments,
  io: Io,
  say: ResultPrinter,
  call: (
    framegate: Framegate,
    options: CreateAndWaitOptions,
  ) => Promise<Generation | CompletedGeneration>,
): Promise<void> {
  const { output } = args.values;
  // Before anything is charged.
  if (output !== undefined) await confirmSending(() => requireTarget(output));
  const framegate = await connect(args, io);
  const { now } = { ...standardPlatform, ...io.platform };
  const progress = showProgress(io.stderr, { now, isTold: isForPrograms(args, io) });
  const seconds = numberOf(args, 'timeout');
  try {
    const generation = await call(framegate, {
      signal: io.signal,
      idempotencyKey: args.values['idempotency-key'],
      maxCredits: numberOf(args, 'max-credits'),
      ...(seconds !== undefined && { timeoutMs: seconds * 1000 }),
      onUpdate: (update) => say({ event: 'update', generation: update }, ''),
      onProgress: (reached) => progress.update(reached),
    });
    if (!('download' in generation)) {
      say({ event: 'created', generation }, generation.id);
      return;
    }
    const { urls } = generation.output;
    for (const [index, url] of urls.entries()) {
      if (output === undefined) {
        progress.end();
        say({ event: 'output', url }, url);
        continue;
      }
      const path = await findPath(output, generation, index);
      const { signal } = io;
      const onProgress = progress.recordReceived.bind(progress);
      const { bytes, type } = await generation.download(path, { index, signal, onProgress });
      progress.end();
      say({ event: 'downloaded', path, bytes, type }, path);
    }
    say({ event: 'completed', generation }, '');
  } finally {
    progress.end();
  }
}

async function connect(args: Arguments, io: Io): Promise<Framegate> {
  return new Framegate({ ...(await takeLogin(args, io)), ...optionsOf(io) });
}

/** The login from the environment, or the stored one. @throws CommandError if there is none. */
async function takeLogin(args: Arguments, io: Io) {
  const { FRAMEGATE_URL, FRAMEGATE_KEY } = io.env;
  const isTold = (args.values['base-url'] ?? FRAMEGATE_URL) && FRAMEGATE_KEY;
  const stored = isTold ? null : await readLogin(io.configFolder);
  const baseUrl = args.values['base-url'] ?? FRAMEGATE_URL ?? stored?.baseUrl;
  const apiKey = FRAMEGATE_KEY ?? stored?.apiKey;
  if (baseUrl === undefined || apiKey === undefined) {
    throw new CommandError(
      3,
      'No key is stored yet: run "framegate login", or set FRAMEGATE_KEY and FRAMEGATE_URL.',
    );
  }
  return { baseUrl, apiKey };
}

const optionsOf = ({ platform, stderr }: Io) => ({
  platform,
  headers: { 'user-agent': userAgent('cli') },
  onRetry: (error: Error, inMs: number) => {
    const seconds = Math.ceil(inMs / 1000);
    stderr.write(`${error.message.split('. ')[0] ?? ''}. Trying again in ${seconds} s.\n`);
  },
});

function modelLine({ id, type, capabilities, pricing }: Model): string {
  const prices = Object.entries(pricing.credits).map(([size, credits]) => `${size} ${credits}`);
  const seconds = capabilities.duration_seconds;
  const length = seconds ? `${seconds.min}-${seconds.max} s` : '';
  return `${id.padEnd(18)} ${type}  ${length.padEnd(7)} credits per ${pricing.per}: ${prices.join(', ')}`;
}

/** Checks something before anything is charged. @throws CommandError with the reason. */
async function confirmSending(check: () => Promise<unknown>): Promise<void> {
  await check().catch((error: unknown) => {
    throw new CommandError(2, `Nothing was sent: ${(error as Error).message}`);
  });
}

async function requireFolder(output: string): Promise<void> {
  if (!(await isFolder(output))) throw new Error(`${output} is not a folder`);
  await access(output, constants.W_OK);
}

const requireTarget = async (output: string): Promise<unknown> =>
  (await isFolder(output)) ? requireFolder(output) : findDestination(output);

/** The path of one file: as given; further ones are numbered; in a folder they are named after the generation. */
async function findPath(
  output: string,
  { id, output: { urls } }: CompletedGeneration,
  index: number,
) {
  const extension = extname(new URL(urls[index] ?? '').pathname);
  if (await isFolder(output)) return join(output, numberPath(id, index, extension));
  // A device or a pipe has no numbered neighbours.
  if ((await findDestination(output)).isDirect) return output;
  const { dir, name, ext } = parse(output);
  return join(dir, numberPath(name, index, ext));
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() === true;
