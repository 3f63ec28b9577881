import { fieldsOf, parseJson } from '../unknownJson.ts';

/** Maximum values taken by one pointer. */
const maxValues = 100;

/**
 * The values at a JSON pointer (RFC 6901) in which `*` stands for every member. A text that the pointer leads through
 * is read as JSON, because some providers put their results into one.
 */
export function valuesAt(json: unknown, pointer: string): unknown[] {
  let values = [json];
  for (const part of parsePointer(pointer)) {
    values = values.flatMap((value) => membersOf(value, part)).slice(0, maxValues);
  }
  return values;
}

/** The first text or number at any of some pointers, as text; null if there is none. */
export function textAt(json: unknown, pointers: readonly string[]): string | null {
  const texts = pointers.flatMap((pointer) => textsAt(json, pointer));
  return texts[0] ?? null;
}

/** The texts and numbers at a pointer, as texts, without empty ones. */
export function textsAt(json: unknown, pointer: string): string[] {
  return valuesAt(json, pointer)
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String)
    .filter((text) => text !== '');
}

/** The names in a pointer. */
export function parsePointer(pointer: string): string[] {
  const parts = pointer.split('/').slice(1);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function membersOf(container: unknown, name: string): unknown[] {
  const value = typeof container === 'string' ? parseJson(container) : container;
  if (Array.isArray(value)) {
    const list = value as unknown[];
    if (name === '*') return list;
    return /^\d{1,6}$/.test(name) ? list.slice(Number(name), Number(name) + 1) : [];
  }
  const fields = fieldsOf(value);
  if (name === '*') return Object.values(fields);
  return Object.hasOwn(fields, name) ? [fields[name]] : [];
}

/** Maximum pointers listed of a response. */
const maxListed = 20;

/** The pointers of a response's values, without the values: people may have written those. */
export function pointersIn(json: unknown): string {
  const all = [...listPointers(json, '', 4)];
  const more = all.length > maxListed ? ', …' : '';
  return all.slice(0, maxListed).join(', ') + more;
}

function* listPointers(value: unknown, at: string, depth: number): Generator<string> {
  const isObject = typeof value === 'object' && value !== null && depth > 0;
  const members = isObject ? Object.entries(value).slice(0, maxListed + 1) : [];
  if (members.length === 0) {
    yield at === '' ? 'nothing' : at;
  }
  // The members of a list are alike.
  else if (Array.isArray(value)) {
    yield* listPointers(value[0], `${at}/0`, depth - 1);
  } else {
    for (const [name, member] of members) {
      yield* listPointers(member, `${at}/${name.slice(0, 40)}`, depth - 1);
    }
  }
}
