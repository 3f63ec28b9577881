import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { projectRoot } from '../../support/runNode.ts';
import { unpackBuilt } from '../support/unpackBuilt.ts';

const source = join(projectRoot, 'integrations/activepieces');

interface Action {
  run(context: object): Promise<unknown>;
}

/** The part of a piece that Activepieces and these tests use. */
interface Piece {
  auth: { validate(given: { auth: object }): Promise<{ valid: boolean; error?: string }> };
  metadata(): object;
  getAction(name: string): Action | undefined;
}

/** The part of the framework that these tests use. */
interface Framework {
  createMockActionContext(given: { propsValue: object }): Record<string, object>;
  PieceMetadata: { parse(metadata: object): { actions: Record<string, object> } };
}

/** Unusual parts of a step's context. */
export interface Situation {
  /** Id of the run; usually one for all. */
  run?: string;
  /** Whether the run resumes after a pause. */
  isResumed?: boolean;
}

/** The result of a step, and whether it has paused the run. */
type Played = Record<string, unknown> & { isPaused?: boolean };

/** The piece as it is packed, in the test context of its framework. */
export interface InstalledPiece {
  /**
   * The data that Activepieces reads when it installs the piece; the framework's schema checks all of it except the
   * connection.
   */
  metadata(): { actions: Record<string, object>; auth: object };
  validate: Piece['auth']['validate'];
  /** Plays a step once. */
  play(action: string, props: object, situation?: Situation): Promise<Played>;
  /** Plays a step, and resumes it after each pause. */
  playToEnd(action: string, props: object, situation?: Situation): Promise<Played>;
  /** Files that steps have written, by name. */
  files: Map<string, Buffer>;
  /** The content of the flow's store. */
  store: Map<string, unknown>;
}

/** Builds and packs the piece, and loads it by its name, as Activepieces does. */
export async function installPiece(folder: string, props: object): Promise<InstalledPiece> {
  const installed = await unpackBuilt(folder, source);
  const modules = join(folder, 'node_modules');
  await symlink(join(source, 'node_modules/@activepieces'), join(modules, '@activepieces'));
  const require = createRequire(join(folder, 'here.js'));
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  const loaded = (await import(require.resolve(manifest.name))) as Record<string, object>;
  const piece = Object.values(loaded).find((each) => each.constructor.name === 'Piece') as Piece;
  const framework = require('@activepieces/pieces-framework') as Framework;
  const files = new Map<string, Buffer>();
  const store = new Map<string, unknown>();
  /** Behaviour of Activepieces that the framework's test context lacks. */
  const services = {
    auth: { type: 'CUSTOM_AUTH', props },
    store: {
      put: async (key: string, value: unknown) => void store.set(key, structuredClone(value)),
      get: async (key: string) => structuredClone(store.get(key)) ?? null,
      delete: async (key: string) => void store.delete(key),
    },
    files: {
      async write({ fileName, data }: { fileName: string; data: Buffer }) {
        files.set(fileName, data);
        return `https://flows.example/${fileName}`;
      },
    },
  };
  async function play(
    action: string,
    propsValue: object,
    { run = 'run-1', isResumed = false }: Situation = {},
  ): Promise<Played> {
    const pauses: number[] = [];
    const context = {
      ...framework.createMockActionContext({ propsValue }),
      ...services,
      executionType: isResumed ? 'RESUME' : 'BEGIN',
      run: {
        id: run,
        async createWaitpoint({ resumeDateTime }: { resumeDateTime: string }) {
          pauses.push(Date.parse(resumeDateTime));
          return { id: 'waitpoint-1' };
        },
        waitForWaitpoint: () => undefined,
      },
    };
    const result = await piece.getAction(action)?.run(context);
    return { ...(result as object), ...(pauses.length > 0 && { isPaused: true as const }) };
  }
  return {
    files,
    store,
    play,
    metadata() {
      const { auth, ...rest } = { ...(piece.metadata() as { auth: object }), ...manifest };
      const { actions } = framework.PieceMetadata.parse(JSON.parse(JSON.stringify(rest)) as object);
      // Its schema of a connection lacks secrets, unlike its types and its server.
      return { actions, auth };
    },
    validate: (given) => piece.auth.validate(given),
    async playToEnd(action, stepProps, situation) {
      let played = await play(action, stepProps, situation);
      while (played.isPaused) {
        played = await play(action, stepProps, { ...situation, isResumed: true });
      }
      return played;
    },
  };
}
