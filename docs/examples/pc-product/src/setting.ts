/** A required setting from the environment. */
export function setting(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`Set ${name}.`);
}
