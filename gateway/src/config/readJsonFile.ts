import { readFileSync } from 'node:fs';

/** A JSON file of the operator's. */
export interface JsonFile {
  /** Absolute path. */
  path: string;
  content: unknown;
}

/** Reads a JSON file. @throws Error that says why it cannot be read, for the operator. */
export function readJsonFile(path: string): JsonFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`it cannot be read (${reason(error)})`, { cause: error });
  }
  try {
    return { path, content: JSON.parse(text.replace(/^\uFEFF/, '')) as unknown };
  } catch (error) {
    throw new Error(`it is not JSON (${reason(error)})`, { cause: error });
  }
}

function reason(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string };
  return code ?? message ?? String(error);
}
