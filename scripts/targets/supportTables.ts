import { allExtras, imageAspectRatios, videoAspectRatios } from '@framegate/contract';
import { testedPackages } from '../../gateway/providers/src/aiSdk/dialects.ts';
import type { Dialect } from '../../gateway/providers/src/dialect.ts';
import { arkDialect } from '../../gateway/providers/src/modelArk/modelArk.ts';
import {
  type Combination,
  type ExtraLimit,
  mergeSupport,
  noSupport,
  type RouteSupport,
} from '../../gateway/providers/src/routeSupport.ts';
import type { Row } from '../../gateway/providers/src/rows.ts';
import { betweenMarkers, type Target } from '../target.ts';

const dialects: readonly Dialect[] = [
  ...Object.values(testedPackages).map(({ dialect }) => dialect),
  arkDialect,
];

/** Support tables of the included providers' models, in the provider documentation. */
export const supportTables: Target = {
  file: 'docs/providers/included.md',
  content: (page) =>
    dialects.reduce(
      (text, dialect) => betweenMarkers(text, `models of ${dialect.name}`, tablesOf(dialect)),
      page,
    ),
};

function tablesOf({ models: { rows } }: Dialect): string {
  const videos = rows.filter(({ type }) => type === 'video').map(videoCells);
  const images = rows.filter(({ type }) => type === 'image').map(imageCells);
  return [writeTable(videoHead, videos), writeTable(imageHead, images)]
    .filter(Boolean)
    .join('\n\n');
}

const videoHead = [
  'Videos',
  'Modes',
  'Seconds',
  'Resolutions',
  'Ratios',
  'Sound',
  'Last frame',
  'References',
  'Further',
  'Limits',
];
const imageHead = ['Images', 'Resolutions', 'Ratios', 'References', 'Further'];

function writeTable(head: readonly string[], rows: readonly string[][]): string {
  if (rows.length === 0) return '';
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function videoCells(row: Row): string[] {
  const support = mergeSupport(noSupport, row.does);
  const { image, video, audio } = support.references;
  const limits = support.combinations.map(limitOf);
  return [
    modelsOf(row),
    support.modes === null ? 'any' : modesOf(support.modes),
    numbersOf(support.seconds),
    listOf(support.resolutions),
    ratiosOf(support.aspectRatios, videoAspectRatios),
    soundOf(support.audio),
    support.lastFrame ? 'yes' : 'no',
    [image, video, audio].join('/').replace('0/0/0', '-'),
    furtherOf(support),
    [
      ...limits,
      ...(row.does.requires?.includes('lastFrame') ? ['needs a last frame'] : []),
      ...(row.keepsPictureRatio ? ['keeps ratio'] : []),
      ...(support.realPerson ? [] : ['no real people']),
    ].join('; ') || '-',
  ];
}

function imageCells(row: Row): string[] {
  const support = mergeSupport(noSupport, row.does);
  const { resolutions, aspectRatios, references, requires } = support;
  const count = requires.includes('references')
    ? `1 to ${references.image}`
    : String(references.image);
  const ratios = ratiosOf(aspectRatios, imageAspectRatios);
  return [modelsOf(row), listOf(resolutions), ratios, count, furtherOf(support)];
}

/** The fractions and texts that a model takes, with their bounds. */
function furtherOf(support: RouteSupport): string {
  const extras = allExtras.flatMap(({ label, support: { name } }) => {
    const limit = support[name as ExtraLimit];
    const words = label.toLowerCase();
    if (typeof limit === 'number') return [`${words} of ${limit} characters`];
    if (typeof limit === 'boolean') return limit ? [words] : [];
    return Array.isArray(limit) && limit.length === 0 ? [] : [`${words} ${numbersOf(limit)}`];
  });
  return extras.join(', ') || '-';
}

function modelsOf({ match, retired }: Row): string {
  const ids = match.map((each) => `\`${each}\``).join(', ');
  if (!retired) return ids;
  const { on, replacement } = retired;
  return `${ids} (shut down ${on}${replacement === null ? '' : `: \`${replacement}\``})`;
}

function limitOf({ when, only }: Combination): string {
  const about = [modesOf(when.modes ?? []), (when.resolutions ?? []).join(' ')].filter(Boolean);
  const allowed = [
    ...(only.seconds === undefined ? [] : [`${numbersOf(only.seconds)} s`]),
    ...(only.resolutions === undefined ? [] : [listOf(only.resolutions)]),
    ...(only.aspectRatios === undefined ? [] : [listOf(only.aspectRatios)]),
    ...(only.audio === undefined ? [] : [`sound ${soundOf(only.audio)}`]),
  ];
  return `${about.join(' at ')}: ${allowed.join(', ')}`;
}

const modesOf = (modes: readonly string[]) =>
  modes.map((mode) => mode.replace('-to-video', '')).join(' ');

function listOf(list: readonly string[] | null): string {
  return list === null ? 'any' : list.join(' ') || 'none';
}

/** Aspect ratios: `all`, or the missing ones if that is shorter. */
function ratiosOf(list: readonly string[] | null, all: readonly string[]): string {
  if (list === null) return 'any';
  const missing = all.filter((each) => !list.includes(each));
  if (missing.length === 0) return 'all';
  return missing.length <= 2 ? `all but ${missing.join(' ')}` : listOf(list);
}

function numbersOf(numbers: RouteSupport['seconds']): string {
  if (numbers === null) return 'any';
  return 'min' in numbers ? `${numbers.min}-${numbers.max}` : numbers.join(' ');
}

function soundOf(audio: RouteSupport['audio']): string {
  if (audio === 'always') return 'always';
  return audio ? 'optional' : 'no';
}
