import { controlPath } from './fakeArk.ts';
import type { Rule } from './script.ts';
import type { Submitted } from './tasks.ts';

/** Scripts a fake ModelArk of another process over HTTP, and reads its submitted tasks. */
export function scriptFakeArk(origin: string) {
  async function control(method: string, body?: Rule[]): Promise<Submitted[]> {
    const response = await fetch(origin + controlPath, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return (await response.json()) as Submitted[];
  }
  return {
    script: (...rules: Rule[]) => control('POST', rules),
    submitted: () => control('GET'),
    reset: () => control('DELETE'),
  };
}
