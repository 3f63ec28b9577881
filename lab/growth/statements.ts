import { minuteMs } from '@framegate/contract';
import { isDatabaseTrouble, retry } from '../../gateway/src/adapters/mongo/errors.ts';
import type { TestGateway } from '../../test/support/gateway.ts';
import { profile, type ProfiledOperation } from '../../test/support/profile.ts';
import type { HotPath } from './hotPaths.ts';

/** Documents or keys that a statement may examine beyond those that it returns. */
const maxExtra = 200;

/** A kind of statement of a path, with the figures of the worst one. */
export interface Statement {
  path: string;
  /** The statement's collection and filter, without values. */
  text: string;
  plan: string;
  documents: number;
  keys: number;
  returned: number;
  count: number;
  /** Whether it examines more than a page beyond its results. */
  isLarge: boolean;
  /** Why it may examine more; undefined where it may not. */
  because: string | undefined;
}

/** Runs paths in turn, and reads their statements from the server's profiler. */
export async function recordStatements(
  { db, collections }: Pick<TestGateway, 'db' | 'collections'>,
  paths: readonly HotPath[],
): Promise<Statement[]> {
  const names = Object.values(collections).map(({ collectionName }) => collectionName);
  const statements: Statement[] = [];
  for (const { name, work, mayRead } of paths) {
    // Profiled statements of a busy machine may take too long for a transaction.
    const repeatWhileBusy = () => retry(work, { on: isDatabaseTrouble, withinMs: minuteMs });
    const read = await profile(db, names, repeatWhileBusy);
    const kinds = Map.groupBy(
      read.filter(({ op }) => op !== 'insert'),
      (each) => `${describeStatement(each)} ${each.plan}`,
    );
    for (const same of kinds.values()) {
      const beyond = (each: ProfiledOperation) =>
        Math.max(each.documents, each.keys) - each.returned;
      const worst = same.reduce((max, each) => (beyond(each) > beyond(max) ? each : max));
      const { plan, documents, keys, returned } = worst;
      const text = describeStatement(worst);
      statements.push({
        path: name,
        text,
        plan,
        documents,
        keys,
        returned,
        count: same.length,
        isLarge: beyond(worst) > maxExtra,
        because: mayRead && beyond(worst) <= mayRead.max ? mayRead.because : undefined,
      });
    }
  }
  return statements;
}

const named = ['filter', 'query', 'q', 'pipeline', 'sort'] as const;

/** Whether a statement examines more than it may. */
export const isTooMuch = ({ isLarge, because }: Statement): boolean =>
  isLarge && because === undefined;

/** A statement without its values. */
function describeStatement({ collection, op, command }: ProfiledOperation): string {
  const [kind = op] = Object.keys(command);
  const parts = named.flatMap((name) =>
    command[name] === undefined ? [] : [shapeOf(command[name])],
  );
  return `${collection}.${kind === 'q' ? op : kind} ${parts.join(' ')}`.slice(0, 240);
}

/** Names and operators without the values. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) {
    const items = [...new Set(value.slice(0, 4).map(shapeOf))];
    return `[${items.join(', ')}]`;
  }
  if (value === null || typeof value !== 'object') return '?';
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return '?';
  const fields = Object.entries(value).map(([name, each]) => {
    const shape = shapeOf(each);
    return shape === '?' ? name : `${name}: ${shape}`;
  });
  return `{${fields.join(', ')}}`;
}
