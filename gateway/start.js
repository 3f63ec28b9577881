// Plain JavaScript on purpose: an older Node cannot even read the TypeScript that follows.
import { isNodeTooOld } from './isNodeTooOld.js';

if (isNodeTooOld) {
  process.stderr.write(
    `Framegate needs Node 22.19 or newer, and this is ${process.versions.node}. ` +
      'Install Node 24 from https://nodejs.org, or run "npm ci" without --omit=dev, which brings it along.\n',
  );
  process.exit(1);
}
await import('./compileCache.js');
await import('./src/main.ts');
