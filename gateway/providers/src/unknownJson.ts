import { isJsonObject } from '@framegate/contract';

/** The fields of an object; empty for any other value, such as a list. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}

/** The members of a list; empty for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Parses JSON; undefined for anything else. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
