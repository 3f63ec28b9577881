import { sum } from '@framegate/contract';
import type { Caller, Route } from './routes.ts';
import type { Person, Target } from './target.ts';

type Fields = Readonly<Record<string, string | readonly string[]>>;

/** The costliest lawful request of a route, or one of several that are costly in different ways. */
export interface CostliestRequest {
  /** Distinguishes it from the route's other rows. */
  what?: string;
  /** Values of the parts of the path that vary; the usual ones otherwise (`defaultParams`). */
  params?: (target: Target, person: Person) => Readonly<Record<string, string>>;
  query?: (target: Target, person: Person) => Fields;
  /** Fields of a form; its token is added. */
  form?: (target: Target, person: Person) => Fields;
  /** A JSON body; a string is sent unchanged. */
  json?: (target: Target, person: Person) => object | string;
  headers?: (target: Target, person: Person) => Readonly<Record<string, string>>;
  /** Lawful responses, unless they are those of a success. Limits (429, 503) are lawful everywhere. */
  responses?: readonly number[];
  /** Restricts the row to these of the callers that the route admits. */
  callers?: readonly Caller[];
  /** Simultaneous connections; default 16. */
  connections?: number;
  /** Whether it guesses its own account's password, which blocks that account's proofs for a while. */
  guesses?: boolean;
  /** Accounts that take turns; one if absent. */
  accounts?: 4;
  /** Whether the bystander uploads files during the attack, because uploads are its target. */
  watchesUploads?: boolean;
  /** Runs an attack that is not a flood of requests. @returns Responses by status. */
  play?: (target: Target, forMs: number, caller: Caller) => Promise<Record<string, number>>;
}

/** The costliest inputs by route, such as `GET /generations/:id`. */
export type CostliestRequests = Readonly<
  Record<string, CostliestRequest | readonly CostliestRequest[]>
>;

/** One attack: a caller's costliest requests of a route. */
export interface Row extends CostliestRequest {
  name: string;
  route: string;
  caller: Caller;
}

/** Statuses of a fulfilled request. */
export const successes = [200, 201, 202, 204, 206, 303, 304] as const;
/** Statuses of a limit. */
export const limited = [429, 503] as const;

/** The rows of all routes. @throws Error that names the routes without an input, and inputs without a route. */
export function rowsOf(routes: readonly Route[], inputs: CostliestRequests): Row[] {
  const names = new Set(routes.map(({ name }) => name));
  const without = [...names].filter((name) => !Object.hasOwn(inputs, name));
  const unknown = Object.keys(inputs).filter((name) => !names.has(name));
  const problems = [
    ...without.map((name) => `${name} has no costliest input`),
    ...unknown.map((name) => `${name} is no route`),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return routes.flatMap(({ name: route, admits }) =>
    [inputs[route] ?? {}].flat().flatMap((costliest) =>
      (costliest.callers ?? admits).map((caller) => {
        const words = [route, caller, costliest.what].filter((each) => each !== undefined);
        return { ...costliest, name: words.join(' · '), route, caller };
      }),
    ),
  );
}

/**
 * The problem of a row's responses; null if they are lawful. A few others are tolerated, such as that of a request on a
 * connection that was just being closed.
 */
export function problemOf(
  row: CostliestRequest,
  statuses: Readonly<Record<string, number>>,
): string | null {
  const lawful: readonly number[] = row.responses ?? successes;
  const count = (among: readonly number[]) => sum(among.map((status) => statuses[status] ?? 0));
  const all = sum(Object.values(statuses));
  if (count(lawful) === 0) return 'no lawful response';
  const rest = all - count(lawful) - count(limited.filter((each) => !lawful.includes(each)));
  return rest > all / 10 ? `${rest} of ${all} responses are not lawful` : null;
}

/** Values of the parts of a path by the route's beginning, then by name. */
export function defaultParams(
  route: string,
  target: Target,
  person: Person,
): Record<string, string> {
  const { victim } = target;
  const isStaff = route.includes(' /staff/');
  const [newest = ''] = (isStaff ? victim : person).generationIds;
  const byPlace: readonly [RegExp, string][] = [
    [/\/staff\/accounts\//, victim.accountId],
    [/\/collections\//, person.collectionId],
    [/\/generations\//, newest],
    [/\/studio\/uploads\//, person.uploadId],
  ];
  return {
    id: byPlace.find(([place]) => place.test(route))?.[1] ?? 'unknown',
    index: '0',
    keyId: person.keyId,
    token: target.sharedToken,
    account_id: victim.accountId,
    key_id: victim.keyId,
    generation_id: victim.generationIds[0] ?? '',
    member_id: victim.memberIds.editor,
    external_id: `attack-${victim.accountId}`,
  };
}

/** Puts values into a route's path. @throws Error for a part without a value. */
export function fill(route: string, params: Readonly<Record<string, string>>): string {
  const path = route.slice(route.indexOf(' ') + 1);
  return path.replaceAll(/:(\w+)|\{?\*(\w+)\}?/g, (_, name?: string, rest?: string) => {
    const value = params[name ?? rest ?? ''];
    if (value === undefined) throw new Error(`${route} needs a value of ${String(name ?? rest)}`);
    return value;
  });
}

/** Names and values as the text of a query or a form. */
export function encode(fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each]),
  );
  return new URLSearchParams(pairs).toString();
}
