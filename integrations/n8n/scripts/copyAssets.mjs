import { cp, mkdir } from 'node:fs/promises';

/** Puts what the compiler leaves out beside the built files: icons and the codex file. */
await mkdir('dist/icons', { recursive: true });
for (const icon of ['framegate.svg', 'framegate.dark.svg']) {
  await cp(`icons/${icon}`, `dist/icons/${icon}`);
}
await cp('nodes/Framegate/Framegate.node.json', 'dist/nodes/Framegate/Framegate.node.json');
