import { registerHooks } from 'node:module';

/**
 * Runs before any test file. Tests run in bare Node, where `@jest/globals` would throw, and n8n's library is not
 * installed for the node's sources: both resolve to files of ours. The built node has n8n's own library.
 */
const globals = new URL('globals.ts', import.meta.url).href;
const n8nStandIn = new URL('../../leaks/n8nStandIn.ts', import.meta.url).href;

/** The n8n node's sources become CommonJS in its package: their imports leave the ending out. */
const n8nNode = /\/integrations\/n8n\/(nodes|credentials)\//;

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === '@jest/globals') return { url: globals, shortCircuit: true };
    const isOfNode = n8nNode.test(context.parentURL ?? '');
    if (isOfNode && specifier === 'n8n-workflow') return { url: n8nStandIn, shortCircuit: true };
    const isFileOfNode = isOfNode && specifier.startsWith('.');
    const resolved = nextResolve(isFileOfNode ? `${specifier}.ts` : specifier, context);
    return n8nNode.test(resolved.url) ? { ...resolved, format: 'module-typescript' } : resolved;
  },
});
