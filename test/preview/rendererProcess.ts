/** A process with a renderer that starts a video and says so, to be killed: `rendererProcess.ts <workDir>`. */
import { startRenderer } from './startRenderer.ts';

const renderer = startRenderer(process.argv[2] ?? '');
const started = Promise.withResolvers<number>();
renderer.onStart = started.resolve;
const operation = await renderer.start({ duration: 4 });
console.log(JSON.stringify({ operation, child: await started.promise }));
