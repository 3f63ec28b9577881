import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from '../target.ts';

const logo = join(import.meta.dirname, '../../gateway/src/http/pages/assets/icon.svg');

/** Replacements of the logo's colours, by name of the picture. */
const variants: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  framegate: {},
  'framegate.dark': { '#0f6e66': '#bfeee6', '#fff': '#0b4f49', '#ffd37a': '#c2570c' },
};

/** Logos of the n8n package for light and dark canvases. */
export const logos: readonly Target[] = Object.entries(variants).map(([name, colours]) => ({
  file: `integrations/n8n/icons/${name}.svg`,
  plain: true,
  content: () =>
    Object.entries(colours).reduce(
      (drawing, [from, to]) => drawing.replaceAll(`"${from}"`, `"${to}"`),
      readFileSync(logo, 'utf8'),
    ),
}));
