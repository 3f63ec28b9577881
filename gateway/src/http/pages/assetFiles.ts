import { readFileSync } from 'node:fs';
import type { Brand } from '../../domain/brand/brand.ts';
import { type HttpMiddleware, staticResponse } from '../context.ts';
import { tokensOf } from './brand.ts';
import { fontFaces } from './font.ts';

const styleType = 'text/css; charset=utf-8';

/** Style sheets of all pages; later ones override earlier ones. */
const shared = ['base.css', 'layout.css', 'controls.css', 'parts.css'];

/** The common style sheet in the brand's colours, followed by the named ones of the folder `assets`. */
export function designWith(brand: Pick<Brand, 'colours'>, ...names: readonly string[]): string {
  return `${fontFaces}${tokensOf(brand)}${readAssets([...shared, ...names])}`;
}

/** Serves `designWith` as one style sheet. */
export function pageStyle(
  brand: Pick<Brand, 'colours'>,
  ...names: readonly string[]
): HttpMiddleware {
  return staticResponse(designWith(brand, ...names), styleType);
}

/** Serves style sheets of the folder `assets` as one file. */
export function styleSheet(...names: readonly string[]): HttpMiddleware {
  return staticResponse(readAssets(names), styleType);
}

/** Serves scripts of the folder `assets` as one file. */
export function script(...names: readonly string[]): HttpMiddleware {
  return staticResponse(readAssets(names), 'text/javascript; charset=utf-8');
}

function readAssets(names: readonly string[]): string {
  const read = (name: string) => readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8');
  return slim(names.map(read).join('\n'));
}

/** A script or style sheet without whole-line comments and indentation. */
const slim = (text: string): string =>
  text.replace(/^[ \t]*(?:\/\/.*|\/\*(?:[^*]|\*(?!\/))*\*\/)[ \t]*$/gm, '').replace(/^\s+/gm, '');
