/** Preloaded into the sample product: its client is this repository's, unbuilt. */
import { registerHooks } from 'node:module';

const source = new URL('../../integrations/operator/src/index.ts', import.meta.url).href;

registerHooks({
  resolve: (name, context, next) => next(name === '@framegate/operator' ? source : name, context),
});
