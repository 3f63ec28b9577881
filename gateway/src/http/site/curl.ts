import type { ApiDocument, PlacedOperation } from './apiDocument.ts';

/** A curl line that makes this call, with the key in the shell's `FRAMEGATE_KEY`. */
export function curl(api: ApiDocument, place: PlacedOperation, body?: unknown): string {
  const { method, path, operation } = place;
  const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
  const filled = inPath.reduce(
    (before, { name, example }) => before.replace(`{${name}}`, textOf(example)),
    path,
  );
  const headers = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'header')
    .map(({ name, example }) => `-H '${name}: ${textOf(example)}'`);
  const key = operation.security?.length === 0 ? [] : ['-H "Authorization: Bearer $FRAMEGATE_KEY"'];
  const content =
    body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body, null, 2))}`];
  const verb = method === 'GET' ? 'curl' : `curl -X ${method}`;
  return [`${verb} ${api.servers[0]?.url ?? ''}${filled}`, ...key, ...headers, ...content].join(
    ' \\\n  ',
  );
}

function textOf(example: unknown): string {
  return typeof example === 'string' ? example : '…';
}

/** Quotes for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
