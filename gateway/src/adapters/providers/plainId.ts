/** A provider's task id as people copy it: it becomes part of a path, so nothing else may be in it. */
export function isPlainId(text: string): boolean {
  return /^[A-Za-z0-9][\w-]{0,127}$/.test(text);
}
