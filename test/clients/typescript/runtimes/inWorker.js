import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Miniflare } from 'miniflare';

/*
 * Runs worker.mjs of a folder on workerd, with the modules of the installed client, and prints its response:
 * inWorker.js <folder> <modules, separated by commas> <id of a generation>.
 */
const [folder, modules, id] = process.argv.slice(2);
const dist = join(folder, 'node_modules/@framegate/client/dist');
const worker = readFileSync(join(folder, 'worker.mjs'), 'utf8');
const { FRAMEGATE_URL, FRAMEGATE_KEY } = process.env;
const runtime = new Miniflare({
  compatibilityDate: '2026-04-01',
  modulesRoot: '/',
  modules: [
    { path: '/worker.mjs', contents: worker.replace('@framegate/client/edge', './dist/index.js') },
    ...modules.split(',').map((name) => ({
      path: `/dist/${name}`,
      contents: readFileSync(join(dist, name), 'utf8'),
    })),
  ].map((each) => ({ type: 'ESModule', ...each })),
  bindings: { FRAMEGATE_URL, FRAMEGATE_KEY },
});
const response = await runtime.dispatchFetch(`https://worker.example.com/?id=${id}`);
console.log(response.headers.get('content-type'), (await response.arrayBuffer()).byteLength);
await runtime.dispose();
