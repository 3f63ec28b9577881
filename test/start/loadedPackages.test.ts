import { expect, test } from '@jest/globals';
import { runNode } from '../support/runNode.ts';

/** Prints the modules of packages that the gateway's own module loads, which a start with usual settings needs. */
const listModules = `
  import { registerHooks } from 'node:module';
  const modules = [];
  registerHooks({
    load(url, context, next) {
      const [, name] = url.split('/node_modules/');
      if (name) modules.push(name);
      return next(url, context);
    },
  });
  await import('./gateway/src/gateway.ts');
  await import('./gateway/src/compose/api.ts');
  process.stdout.write(JSON.stringify(modules));
`;

test('packages of sign-in providers and of traces are loaded only if the settings name one', async () => {
  const { stdout } = await runNode(['--input-type=module', '--eval', listModules]);
  const modules = JSON.parse(stdout) as string[];
  expect(modules).toContainEqual(expect.stringMatching(/^koa\//));
  // The package of metrics brings a copy of OpenTelemetry's interface for `require`.
  const unneeded = /^(openid-client|jose|@opentelemetry\/api\/build\/esm)\//;
  expect(modules.filter((each) => unneeded.test(each))).toEqual([]);
});
