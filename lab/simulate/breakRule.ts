import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brokenRules } from './brokenRules.ts';

/**
 * The path of the file that holds a rule, and its text with the rule broken.
 * @throws Error for an unknown rule, and for one whose code reads differently by now.
 */
export function brokenFile(name: string): { path: string; source: string } {
  const rule = brokenRules[name];
  if (!rule) throw new Error(`no such rule: ${name}`);
  const path = join(import.meta.dirname, '../../gateway/src', rule.file);
  const parts = readFileSync(path, 'utf8').split(rule.from);
  if (parts.length !== 2) throw new Error(`${rule.file} does not have once: ${rule.from}`);
  return { path, source: parts.join(rule.to) };
}

/** Loads the gateway with one rule broken from here on; nothing on the disk changes. */
export function breakRule(name: string): void {
  const { path, source } = brokenFile(name);
  const broken = pathToFileURL(path).href;
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      return url === broken ? { ...loaded, source } : loaded;
    },
  });
}
