import '../../../gateway/compileCache.js';
import { registerHooks } from 'node:module';

/**
 * Runs before any test file. Tests run in bare Node, where `@jest/globals` would throw: it resolves to a file of ours.
 */
const globals = new URL('globals.ts', import.meta.url).href;

/**
 * The n8n node's sources become CommonJS in its package, so their imports omit the extension. They are loaded without
 * the package's own install, and with a stand-in for n8n's library; the built node gets the real one.
 */
const n8nNode = /\/integrations\/n8n\/(nodes|credentials)\//;
const n8nLibrary = new URL('../../leaks/n8nStandIn.ts', import.meta.url).href;

/**
 * The worker's test files so far: the runner adds the time to their names, under which none would be found compiled.
 */
const loaded = new Set<string>();
const withoutTime = (specifier: string): string => {
  const plain = specifier.replace(/(?<=\.(?:test|acceptance)\.ts)\?\d+$/, '');
  if (plain === specifier || loaded.has(plain)) return specifier;
  loaded.add(plain);
  return plain;
};

// The runner ends its workers by this signal, on which Node would not keep the code that it has compiled.
process.once('SIGTERM', () => process.exit(143));

registerHooks({
  resolve(named, context, nextResolve) {
    const specifier = withoutTime(named);
    if (specifier === '@jest/globals') return { url: globals, shortCircuit: true };
    const isFromNode = n8nNode.test(context.parentURL ?? '');
    if (isFromNode && specifier === 'n8n-workflow') return { url: n8nLibrary, shortCircuit: true };
    const isOfNode = isFromNode && specifier.startsWith('.');
    const resolved = nextResolve(isOfNode ? `${specifier}.ts` : specifier, context);
    return n8nNode.test(resolved.url) ? { ...resolved, format: 'module-typescript' } : resolved;
  },
});
