import { execFileSync } from 'node:child_process';
import { cp, mkdir, rm } from 'node:fs/promises';

/** Compiles into an empty `dist`, so that no remains of an older build are published. */
await rm('dist', { recursive: true, force: true });
execFileSync('tsc', { stdio: 'inherit' });

/** Copies icons and the codex file, which the compiler ignores, next to the built files. */
await mkdir('dist/icons', { recursive: true });
for (const icon of ['framegate.svg', 'framegate.dark.svg']) {
  await cp(`icons/${icon}`, `dist/icons/${icon}`);
}
await cp('nodes/Framegate/Framegate.node.json', 'dist/nodes/Framegate/Framegate.node.json');
