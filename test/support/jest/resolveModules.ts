import { registerHooks } from 'node:module';

/**
 * Runs before any test file. Tests run in bare Node, where `@jest/globals` would throw, and n8n's library is not
 * installed here: both resolve to files of ours.
 */
const standIns: Readonly<Record<string, string>> = {
  '@jest/globals': new URL('globals.ts', import.meta.url).href,
  'n8n-workflow': new URL('../../leaks/n8nStandIn.ts', import.meta.url).href,
};

/** The n8n node's sources become CommonJS in its package: their imports leave the ending out. */
const n8nNode = /\/integrations\/n8n\/(nodes|credentials)\//;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const url = standIns[specifier];
    if (url !== undefined) return { url, shortCircuit: true };
    const isOfNode = specifier.startsWith('.') && n8nNode.test(context.parentURL ?? '');
    const resolved = nextResolve(isOfNode ? `${specifier}.ts` : specifier, context);
    return n8nNode.test(resolved.url) ? { ...resolved, format: 'module-typescript' } : resolved;
  },
});
