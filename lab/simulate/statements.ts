import { Query, updateOne } from 'mingo';
import { sum } from '@framegate/contract';

/** A stored document. Stored ones are never changed, only replaced, so that a snapshot is a copy of references. */
export type Doc = Record<string, unknown>;
/** A filter of the driver. */
export type Filter = Record<string, unknown>;

/** A copy of a value as the driver would make it: fields that are undefined are not stored. */
export function copy<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copy) as T;
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Date) return new Date(value.getTime()) as T;
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const copied: Doc = {};
  for (const [name, each] of Object.entries(value)) {
    if (each !== undefined) copied[name] = copy(each);
  }
  return copied as T;
}

/** The key of a document's `_id`. */
export const idText = (id: unknown): string => String(id);

/** The keys that a filter's `_id` allows; null for any. */
export function keysOf(id: unknown): Set<string> | null {
  if (id === undefined) return null;
  if (!isOperators(id)) return new Set([idText(id)]);
  const { $in: list } = id as { $in?: unknown[] };
  return list && Object.keys(id as object).length === 1 ? new Set(list.map(idText)) : null;
}

/** Whether a filter's value is operators such as `$gt`. */
export const isOperators = (value: unknown): boolean =>
  value !== null &&
  typeof value === 'object' &&
  Object.getPrototypeOf(value) === Object.prototype &&
  Object.keys(value).some((name) => name.startsWith('$'));

const isPlain = (value: unknown) => value !== null && typeof value !== 'object';

/** A filter's test: equality is checked here, everything else by mingo. */
export function testOf(filter: Filter): (doc: Doc) => boolean {
  const all = Object.entries(filter);
  const isEasy = ([name, value]: [string, unknown]) => isPlain(value) && !name.includes('.');
  const equal = all.filter(isEasy);
  const rest = Object.fromEntries(all.filter((each) => !isEasy(each)));
  const hasRest = equal.length < all.length;
  let query: Query | undefined;
  return (doc) => {
    for (const [name, value] of equal) if (doc[name] !== value) return false;
    if (!hasRest) return true;
    query ??= new Query(rest);
    return query.test(doc);
  };
}

/** The updated document; the same one if nothing changes. */
export function changedBy(doc: Doc, { filter, update }: { filter: Filter; update: unknown }): Doc {
  const operators = Array.isArray(update)
    ? {}
    : resolvePositions(copy(update) as Operators, doc, filter);
  delete operators.$setOnInsert;
  if (!Array.isArray(update) && Object.keys(operators).length === 0) return doc;
  const changed = copy(doc);
  if (Array.isArray(update)) {
    const stages = update as { $set?: Doc }[];
    if (stages.every(({ $set }) => $set && Object.values($set).every(isEasyExpression))) {
      for (const { $set = {} } of stages) {
        // All fields of a stage see the document before the stage.
        const values = Object.entries($set).map(([path, each]) => [path, valueOf(each, changed)]);
        applySimple(changed, { $set: Object.fromEntries(values) as Doc });
      }
      return changed;
    }
  } else if (isSimple(operators)) {
    applySimple(changed, operators);
    return changed;
  }
  const documents = [changed];
  const change = Array.isArray(update) ? copy(update as Doc[]) : operators;
  updateOne(documents as never, {}, change as never);
  return copy(documents[0] ?? doc);
}

type Operators = Record<string, Doc>;

/** The operators with the number of the member that the filter finds instead of `$`. */
function resolvePositions(operators: Operators, doc: Doc, filter: Filter): Operators {
  const place = (path: string): string => {
    const [list = '', rest] = path.split('.$.');
    if (rest === undefined) return path;
    const ofMember = Object.entries(filter).flatMap(([name, value]) =>
      name.startsWith(`${list}.`) ? [[name.slice(list.length + 1), value]] : [],
    );
    const { $elemMatch: whole = {} } = (filter[list] ?? {}) as { $elemMatch?: Filter };
    const fits = testOf({ ...whole, ...(Object.fromEntries(ofMember) as Filter) });
    const index = (doc[list] as Doc[]).findIndex(fits);
    return `${list}.${index}.${rest}`;
  };
  const inSlot = (fields: Doc) =>
    Object.fromEntries(Object.entries(fields).map(([path, value]) => [place(path), value]));
  return Object.fromEntries(
    Object.entries(operators).map(([name, fields]) => [name, inSlot(fields)]),
  );
}

const simple = new Set(['$set', '$unset', '$inc', '$addToSet']);

const isSimple = (operators: Operators) =>
  Object.entries(operators).every(
    ([name, fields]) => simple.has(name) && !Object.keys(fields).some((each) => each.includes('$')),
  );

const easy = new Set(['$add', '$min', '$max']);

/** Whether `valueOf` knows an expression of an update's stage; the others are left to mingo. */
function isEasyExpression(expression: unknown): boolean {
  if (typeof expression === 'string') return !expression.startsWith('$$') || expression === '$$NOW';
  if (expression === null || typeof expression !== 'object' || expression instanceof Date) {
    return true;
  }
  return Object.entries(expression).every(([name, inner]) =>
    name.startsWith('$')
      ? easy.has(name) && (inner as unknown[]).every(isEasyExpression)
      : isEasyExpression(inner),
  );
}

function valueOf(expression: unknown, doc: Doc): unknown {
  if (expression === '$$NOW') return new Date(Date.now());
  if (typeof expression === 'string' && expression.startsWith('$')) {
    return expression
      .slice(1)
      .split('.')
      .reduce<unknown>((part, name) => (part as Doc | null | undefined)?.[name], doc);
  }
  if (expression === null || typeof expression !== 'object' || expression instanceof Date) {
    return expression;
  }
  const [[name, inner] = ['', null]] = Object.entries(expression);
  if (!easy.has(name)) {
    const parts = Object.entries(expression).map(([field, each]) => [field, valueOf(each, doc)]);
    return Object.fromEntries(parts) as Doc;
  }
  // Like the server: a value that is absent is left out of $min and $max, and makes $add null.
  const values = (inner as unknown[]).map((each) => valueOf(each, doc) ?? null);
  const numbers = values.filter((each) => each !== null).map(Number);
  const isTime = values.some((each) => each instanceof Date);
  if (numbers.length === 0 || (name === '$add' && numbers.length < values.length)) return null;
  const result = name === '$add' ? sum(numbers) : Math[name === '$min' ? 'min' : 'max'](...numbers);
  return isTime ? new Date(result) : result;
}

/** The frequent operators, without mingo's preparations for all others. */
function applySimple(doc: Doc, { $set, $unset, $inc, $addToSet }: Operators): void {
  const at = (path: string): [Doc, string] => {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const parent = names.reduce((part, name) => (part[name] ??= {}) as Doc, doc);
    return [parent, last];
  };
  for (const [path, value] of Object.entries($set ?? {})) {
    const [parent, name] = at(path);
    parent[name] = value;
  }
  for (const path of Object.keys($unset ?? {})) {
    const [parent, name] = at(path);
    Reflect.deleteProperty(parent, name);
  }
  for (const [path, value] of Object.entries($inc ?? {})) {
    const [parent, name] = at(path);
    parent[name] = Number(parent[name] ?? 0) + Number(value);
  }
  for (const [path, value] of Object.entries($addToSet ?? {})) {
    const [parent, name] = at(path);
    const members = (parent[name] ??= []) as unknown[];
    const present = new Set(members.map((each) => JSON.stringify(each)));
    const { $each: added = [value] } = value as { $each?: unknown[] };
    members.push(...added.filter((each) => !present.has(JSON.stringify(each))));
  }
}

/** Compares documents by the fields of a sort. */
export function bySort(sort: Record<string, 1 | -1>) {
  const fields = Object.entries(sort);
  return (a: Doc, b: Doc) => {
    for (const [name, way] of fields) {
      const difference = compare(a[name], b[name]);
      if (difference !== 0) return difference * way;
    }
    return 0;
  };
}

function compare(a: unknown, b: unknown): number {
  const [left, right] = [a, b].map((value) => (value instanceof Date ? value.getTime() : value));
  if (left === right) return 0;
  if (left === null || left === undefined) return right === null || right === undefined ? 0 : -1;
  if (right === null || right === undefined) return 1;
  return (left as number) < (right as number) ? -1 : 1;
}

/** Projects by top-level field: a path counts as its first part. */
export function projectDoc(doc: Doc, projection: Record<string, unknown> = {}): Doc {
  const paths = Object.entries(projection);
  const named = new Set(paths.map(([path]) => path.split('.')[0]));
  if (paths.length === 0) return doc;
  const keeps = paths.some(([, value]) => value !== 0 && value !== false);
  return Object.fromEntries(
    Object.entries(doc).filter(([name]) => (name === '_id' && keeps) || named.has(name) === keeps),
  );
}
