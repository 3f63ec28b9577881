import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { dialectOf } from '../../gateway/providers/src/aiSdk/dialects.ts';
import type { Dialect } from '../../gateway/providers/src/dialect.ts';
import { describe as describeApi } from '../../gateway/providers/src/http/describe.ts';
import { httpDialect } from '../../gateway/providers/src/http/httpDialect.ts';
import { arkDialect } from '../../gateway/providers/src/modelArk/modelArk.ts';
import {
  type Got,
  json,
  startTinyServer,
  type TinyServer,
} from '../../gateway/providers/test/tinyServer.ts';
import { parseStoredGeneration } from '../../gateway/src/adapters/mongo/generations/generationWrites.ts';
import type { Attempt } from '../../gateway/src/domain/generations/attempt.ts';
import { chargeOf } from '../../gateway/src/domain/providers/cost.ts';
import { image, video } from '../support/bodies.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { createMatrixFiles, type Filled, orderedFile } from './matrixFiles.ts';
import { bytes, type Fate, fates, ownTask, type Protocol, type Said } from './matrixProtocols.ts';

/** A row of the matrix: a provider with a route to it, and its protocol. */
export interface Line {
  /** The provider's name in the table of docs/providers/tested.md. */
  name: string;
  /** The model of the catalogue that it makes, and its own. */
  model: string;
  providerModel: string;
  /** The provider's entry in the routes file, without the fields that all have. */
  provider: Record<string, unknown>;
  does?: object;
  send?: object;
  /** Whether an order without a response can be looked up. */
  isLookedUp?: boolean;
  /** Null where another server speaks it. */
  protocol: Protocol | null;
}

/** A prompt whose order gets no response: the connection is closed. */
export const vanished = 'vanished lake';
/** A prompt whose file is far smaller than it was ordered. */
export const tooSmall = 'small lake';

/** Outcome of an order, by its prompt or its id. */
export const fateIn = (text: string): Fate | undefined =>
  fates.find((fate) => text.includes(`${fate} lake`) || text.includes(`${fate}-lake`));

/** Final record of a generation. */
export const shown: Record<Fate, object> = {
  made: { status: 'completed', billing: { status: 'charged' } },
  refused: failed('input_rejected'),
  moderated: failed('output_rejected'),
  failed: failed('generation_failed'),
};

function failed(code: string): object {
  return { status: 'failed', error: { code }, billing: { status: 'refunded' } };
}

/** The table of docs/providers/tested.md: the cells of each provider, by its name there. */
const table = new Map(
  readFileSync(new URL('../../docs/providers/tested.md', import.meta.url), 'utf8')
    .split(/^## .*$/m)[2]
    ?.split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, name = '', ...cells]) => [name, cells.slice(0, -1)]),
);

/** A whole gateway whose routes lead to a server that speaks the providers' protocols. */
export interface Matrix extends TestGateway {
  server: TinyServer;
  /** Makes the gateway use the given line for each model. */
  follow(lines: readonly Line[]): Promise<void>;
  /** Orders one of each fate and one that gets no response, and compares the outcomes with the table. */
  expectLine(line: Line): Promise<void>;
  order(line: Line, prompt: string): Promise<Made>;
}

interface Made {
  record: Record<string, unknown>;
  attempts: Attempt[];
}

/** A test for each line, by its name. */
export const eachLine = (lines: readonly Line[], expectLine: (line: Line) => Promise<void>) =>
  Object.fromEntries(lines.map((line) => [line.name, () => expectLine(line)]));

/** Answers a request for a file. */
export type Serve = (response: ServerResponse, file: Buffer, path: string) => void;

const serveWhole: Serve = (response, file) => response.writeHead(200).end(file);

/**
 * Starts both.
 * @param origins The APIs that are reached at the server instead.
 * @param serve How it hands out files; by default whole.
 */
export async function startMatrix(
  lines: readonly Line[],
  origins: readonly string[],
  serve = serveWhole,
): Promise<Matrix> {
  const looked = new Map<string, number>();
  /** The parameters of each video model's orders. */
  const ordered = new Map<string, Record<string, unknown>>();
  const files = createMatrixFiles();
  let followed = lines;
  const server = await startTinyServer((got, response) => {
    const file = files.at(got.path);
    const owner = followed.find(({ protocol }) => protocol?.files?.test(got.path));
    if (file) serve(response, file, got.path);
    else if (owner) void ownFile(owner, got).then((said) => give(response, ...said));
    else if (JSON.stringify(got.body ?? '').includes(vanished)) response.destroy();
    else void responseTo(got).then((said) => give(response, ...said));
  });

  async function ownFile({ model }: Line, { path, headers }: Got): Promise<Filled> {
    if (!headers.authorization) return [401, { error: 'no key' }];
    return [200, await orderedFile(ordered.get(model), path.includes('small-lake'))];
  }

  async function responseTo(got: Got): Promise<Filled> {
    const line = followed.find(({ protocol: each }) => each?.path.test(got.path));
    if (!line?.protocol) throw new Error(`no provider is at ${got.path}`);
    const { protocol } = line;
    const id = idIn(got);
    const text = id ?? JSON.stringify(got.body);
    const isSmall = /small[ -]lake/.test(text);
    const fate = fateIn(text) ?? 'made';
    const end = async () =>
      files.fillIn(
        about(id ?? '', protocol.ended[fate] ?? protocol.refused ?? [500, {}]),
        await orderedFile(ordered.get(line.model), isSmall),
      );
    if (id === null) {
      if (fate === 'refused' && protocol.refused) return files.fillIn(protocol.refused);
      if (!protocol.accepted) return end();
      const name = `${isSmall ? 'small' : fate}-lake-${String(server.got.length)}`;
      return [200, protocol.accepted(name)];
    }
    looked.set(id, (looked.get(id) ?? 0) + 1);
    // The first poll finds it unfinished.
    return looked.get(id) === 1 ? files.fillIn(about(id, protocol.pending(id))) : end();
  }

  const folder = await mkdtemp(join(tmpdir(), 'framegate-matrix-'));
  const path = join(folder, 'routes.json');
  const all = [...origins, 'https://files.example'];
  const common = {
    apiKeyEnv: 'KEY',
    allowPrivateNetwork: true,
    mediaHosts: ['files.example'],
    rewriteOrigins: Object.fromEntries(all.map((origin) => [origin, server.origin])),
  };
  const write = async () => {
    const providers = followed.map(({ provider, name }) => [
      idOf(name),
      { ...common, ...provider },
    ]);
    const models = followed.map(({ name, model, providerModel, does, send }) => {
      const perUnit = isImage(model) ? { perImage: 0.04 } : { perSecond: 0.1 };
      const route = {
        provider: idOf(name),
        model: providerModel,
        cost: { currency: 'USD', ...perUnit },
      };
      return [model, [{ ...route, ...(does && { does }), ...(send && { send }) }]];
    });
    const routes = {
      providers: Object.fromEntries(providers) as object,
      models: Object.fromEntries(models) as object,
    };
    await writeFile(path, JSON.stringify(routes));
  };
  await write();
  const gateway = await startTestGateway({ ROUTES_FILE: path, KEY: 'a-key' });
  const account = await gateway.addAccount({ credits: 100_000, limits: { running: 100 } });

  async function order({ model }: Line, prompt: string): Promise<Made> {
    const [kind, body] = isImage(model) ? ['images', image] : ['videos', video];
    const { status, json: created } = await account.post(`/v1/${kind}`, body({ model, prompt }));
    expect([model, status, created['error']]).toEqual([model, 202, undefined]);
    if (!isImage(model)) ordered.set(model, created['parameters'] as Record<string, unknown>);
    const id = String(created['id']);
    const record = await account.untilEnded(id);
    const found = await gateway.collections.generations.findOne({ _id: id });
    return { record, attempts: found ? parseStoredGeneration(found).attempts : [] };
  }

  return {
    ...gateway,
    server,
    order,
    async follow(next) {
      followed = next;
      await write();
      await gateway.reloadRoutes();
    },
    async expectLine(line) {
      const of = fatesOf(line);
      const prompts = [...of.map((fate) => `${fate} lake`), vanished];
      const [small, ...made] = await Promise.all(
        [tooSmall, ...prompts].map((prompt) => order(line, prompt)),
      );
      const records = [
        ...of.map((fate) => shown[fate]),
        line.isLookedUp ? shown.made : shown.failed,
      ];
      expect(made.map(({ record }) => record)).toMatchObject(records);
      if (line.protocol) expectOnce(line.protocol, of, server);
      expect([line.name, table.get(line.name)]).toEqual([line.name, cellsOf(line, made, of)]);
      expectChecked(made[0], small);
    },
    async stop() {
      await gateway.stop();
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

const isImage = (model: string) => model.startsWith('image');
const idOf = (name: string) => name.replaceAll(' ', '-').toLowerCase();
const idIn = ({ path, body }: Got): string | null =>
  /\w+-lake-\d+/.exec(path + JSON.stringify(body ?? ''))?.[0] ?? null;

/** Outcomes that its protocol can express; where another server speaks it, all of them. */
function fatesOf({ protocol }: Line): readonly Fate[] {
  return fates.filter(
    (fate) => !protocol || protocol.ended[fate] || (fate === 'refused' && protocol.refused),
  );
}

/** One submission of each, then polls of the same provider: nothing was ordered twice. */
function expectOnce(protocol: Protocol, of: readonly Fate[], server: TinyServer): void {
  const asked = server.got.filter((got) => protocol.path.test(got.path));
  const submitsOf = (prompt: string) =>
    asked.filter(({ body }) => JSON.stringify(body ?? '').includes(prompt)).length;
  for (const fate of of) {
    const polls = asked.filter((got) => idIn(got)?.startsWith(`${fate}-lake`));
    const isAccepted = 'accepted' in protocol && !(fate === 'refused' && protocol.refused);
    expect([fate, submitsOf(`${fate} lake`)]).toEqual([fate, 1]);
    // The first poll finds it unfinished, the second finds its end.
    expect([fate, polls.length]).toEqual([fate, isAccepted ? 2 : 0]);
  }
  expect(submitsOf(vanished)).toBe(1);
}

/** Cells for an order without a response, by the outcome of its attempt. */
const unknownCells = new Map<string | undefined, string>([
  ['unknown', 'refunded, not repeated'],
  ['completed', 'looked up, not repeated'],
]);

/** The provider's cells in the table, made from the outcomes. */
function cellsOf(line: Line, made: readonly Made[], of: readonly Fate[]): string[] {
  const codeOf = (fate: Fate) => {
    const record = made[of.indexOf(fate)]?.record['error'] as { code: string } | undefined;
    return record ? `\`${record.code}\`` : '-';
  };
  const attempts = made.flatMap((each) => each.attempts);
  const isCounted = attempts.every(({ cost }) => cost !== null);
  const charges = new Set(attempts.map((each) => `${each.outcome} ${chargeOf(each)}`));
  expect(charges).toContain('completed charged');
  if (!line.isLookedUp) expect(charges).toContain('unknown possible');
  const reports = attempts.some(({ reported }) => reported !== undefined);
  expect(made.map((each) => each.attempts.length)).toEqual(made.map(() => 1));
  expect([codeOf('refused'), codeOf('failed')]).toEqual([
    '`input_rejected`',
    '`generation_failed`',
  ]);
  return [
    codeOf('moderated'),
    unknownCells.get(made.at(-1)?.attempts[0]?.outcome) ?? 'no',
    isCancelled(line) ? 'asked' : 'not offered',
    isCounted ? `stated${reports ? ' and reported' : ''}` : 'no',
  ];
}

/** The file of an order is as ordered, and another one that is far too small is refunded. */
function expectChecked(asOrdered: Made | undefined, small: Made | undefined): void {
  const differencesOf = (made?: Made) => made?.attempts.at(-1)?.differences ?? [];
  expect(small?.record).toMatchObject(shown.failed);
  expect(differencesOf(small)).toContainEqual(
    expect.objectContaining({ in: 'size', isGross: true }),
  );
  expect(differencesOf(asOrdered)).toEqual([]);
}

const isCancelled = (line: Line) =>
  line.provider['kind'] === 'comfyui' || 'cancel' in dialectFor(line);

function dialectFor({ provider }: Line): Dialect {
  if (provider['kind'] === 'model-ark') return arkDialect;
  if (provider['kind'] === 'http') {
    const { description } = describeApi(provider, []);
    if (description) return httpDialect(description);
  }
  return dialectOf({ calls: {}, ...provider } as unknown as Parameters<typeof dialectOf>[0]);
}

function give(response: ServerResponse, status: number, body: object | Buffer): void {
  if (Buffer.isBuffer(body)) response.writeHead(status, { 'content-type': 'image/png' }).end(body);
  else json(response, status, body);
}

/** A response about a task. */
function about(id: string, [status, body]: Said): Said {
  if (body === bytes) return [status, body];
  return [status, JSON.parse(JSON.stringify(body).replaceAll(ownTask, id)) as object];
}
