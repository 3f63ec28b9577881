import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { catalogue } from '@framegate/contract';
import { loadConfig } from '../../gateway/src/config.ts';
import { ConfigError } from '../../gateway/src/settings/setting.ts';
import { runAdminHere } from '../support/runAdminHere.ts';
import { projectRoot } from '../support/runNode.ts';

const example = join(projectRoot, 'docs/examples/brand/brand.json');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-brand-'));
  await mkdir(join(folder, 'logos'));
});
afterAll(() => rm(folder, { recursive: true }));

async function brandFile(content: unknown): Promise<string> {
  const path = join(folder, 'brand.json');
  await writeFile(path, JSON.stringify(content));
  return path;
}

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ message }) => message);
    throw error;
  }
  throw new Error('it was taken');
}

test('the page for operators shows the example, which works', async () => {
  const page = await readFile(join(projectRoot, 'docs/operating/brand.md'), 'utf8');
  expect(page).toContain(`\`\`\`json\n${await readFile(example, 'utf8')}\`\`\``);
  const { brand, mail, outsideLinks } = loadConfig({ BRAND_FILE: example });
  expect(brand).toMatchObject({ name: 'Aurora Studio', languages: ['en', 'de'] });
  expect(brand.logo?.dark.ratio).toBe(1);
  expect(mail.from).toBe('Aurora Studio <no-reply@aurora.example>');
  expect(outsideLinks.support).toBe('mailto:help@aurora.example');
});

test('logos are found next to the file, and a light one also serves dark pages', async () => {
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 1"/>';
  await writeFile(join(folder, 'logos/wide.svg'), drawing);
  const { brand } = loadConfig({
    BRAND_FILE: await brandFile({ name: 'Aurora', logo: { light: 'logos/wide.svg' } }),
  });
  expect(brand.logo?.light).toMatchObject({ type: 'image/svg+xml', ratio: 4 });
  expect(brand.logo?.dark).toBe(brand.logo?.light);
});

test('every problem of the file and of its logos is reported at once', async () => {
  const hostile = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1" onload="alert(1)">
    <script>alert(1)</script><foreignObject/></svg>`;
  await writeFile(join(folder, 'logos/hostile.svg'), hostile);
  await writeFile(join(folder, 'logos/huge.png'), Buffer.alloc(70_000));
  const content = {
    nam: 'Aurora',
    logo: { light: 'logos/hostile.svg', dark: 'logos/none.svg', icon: 'logos/huge.png' },
    colours: { light: { accent: '#cccccc' }, dark: { accent: '#b9a5ff' } },
  };
  const BRAND_FILE = await brandFile(content);
  expect(problemsOf({ BRAND_FILE, PORT: 'x' })).toEqual([
    'PORT is "x": it must be a whole number from 1 to 65535.',
    [
      `BRAND_FILE is "${BRAND_FILE}": name is required.`,
      'brand.json:1: nam is not a known field (did you mean "name"?).',
      'brand.json:1: logo.light is "logos/hostile.svg": it has the event handler "onload".',
      'brand.json:1: logo.light is "logos/hostile.svg": it has <script>, which is not a shape, text or a gradient.',
      'brand.json:1: logo.light is "logos/hostile.svg": it has <foreignObject>, which is not a shape, text or a gradient.',
      'brand.json:1: logo.dark is "logos/none.svg": it cannot be read (ENOENT).',
      'brand.json:1: logo.icon is "logos/huge.png": it has 70000 bytes; the maximum is 65536.',
      'brand.json:1: colours.light.accent is #cccccc: its contrast with #f8f8f8, the background of badges on light pages, is 1.51:1, and at least 4.5:1 is needed.',
    ].join(' '),
  ]);
});

test('every problem of the showpieces is reported with its place and the intended name', async () => {
  await writeFile(join(folder, 'notes.webp'), 'no picture');
  await writeFile(join(folder, 'still.png'), '\x89PNG\r\n\x1a\n', 'latin1');
  await truncate(join(folder, 'still.png'), 400_001);
  const picture = 'https://media.example/a.webp';
  const showpieces = [
    { model: 'alpha-2.0-fats', picture: 'none.webp', clip: 'notes.webp' },
    { model: 'alpha-2.0-fast', pictures: picture },
    { model: 'alpha-2.0-fast', picture: 'http://media.example/a.webp', clip: 'still.png' },
    { model: 'image-b-2', picture: 'still.png', clip: "https://media.example;img-src/'" },
  ];
  const BRAND_FILE = await brandFile({ name: 'Aurora', showpieces });
  expect(problemsOf({ BRAND_FILE })).toEqual([
    [
      `BRAND_FILE is "${BRAND_FILE}": brand.json:1: showpieces[1].picture is required.`,
      'brand.json:1: showpieces[1].pictures is not a known field (did you mean "picture"?).',
      'brand.json:1: showpieces[2].picture is neither the path of a file nor an https address.',
      'brand.json:1: showpieces[3].clip is neither the path of a file nor an https address.',
      'brand.json:1: showpieces[2] has the same model as showpieces[1].',
      'brand.json:1: showpieces[0].model is "alpha-2.0-fats", which is not a model (did you mean "alpha-2.0-fast"?).',
      'brand.json:1: showpieces[0].picture is "none.webp": it cannot be read (ENOENT).',
      'brand.json:1: showpieces[0].clip is "notes.webp": it is neither MP4 nor WebM.',
      'brand.json:1: showpieces[2].clip is "still.png": it is neither MP4 nor WebM.',
      'brand.json:1: showpieces[3].picture is "still.png": it has 400001 bytes; the maximum is 400000.',
    ].join(' '),
  ]);
  const tooMany = Array.from({ length: 61 }, (_, index) => ({ model: `m-${index}`, picture }));
  const ofMany = await brandFile({ name: 'Aurora', showpieces: tooMany });
  expect(problemsOf({ BRAND_FILE: ofMany })[0]).toContain('showpieces has more than 60 entries.');
});

test('files of showpieces have a bounded size, because every process keeps them in memory', async () => {
  const models = catalogue.slice(0, 6).map(({ id }) => id);
  await writeFile(join(folder, 'clip.webm'), '\x1aE\xdf\xa3', 'latin1');
  await truncate(join(folder, 'clip.webm'), 12_000_000);
  const showpieces = models.map((model) => ({
    model,
    clip: 'clip.webm',
    picture: 'https://media.example/a.webp',
  }));
  const fits = await brandFile({ name: 'Aurora', showpieces: showpieces.slice(0, 5) });
  expect(loadConfig({ BRAND_FILE: fits }).brand.showpieces[4]?.clip).toMatchObject({
    mediaType: 'video/webm',
  });
  const BRAND_FILE = await brandFile({ name: 'Aurora', showpieces });
  expect(problemsOf({ BRAND_FILE })).toEqual([
    `BRAND_FILE is "${BRAND_FILE}": brand.json:1: showpieces names files with more than 64000000 bytes: host clips elsewhere.`,
  ]);
});

test('reports a folder instead of a logo, a duplicate name, and a file that is not JSON', async () => {
  const ofFolder = await brandFile({ name: 'Aurora', logo: { light: 'logos' } });
  expect(problemsOf({ BRAND_FILE: ofFolder })).toEqual([
    `BRAND_FILE is "${ofFolder}": brand.json:1: logo.light is "logos": it is not a plain file.`,
  ]);
  const path = join(folder, 'twice.json');
  await writeFile(path, '{ "name": "Aurora", "legal": {}, "name": "Borealis" }');
  expect(problemsOf({ BRAND_FILE: path })).toEqual([
    `BRAND_FILE is "${path}": twice.json:1: name appears twice.`,
  ]);
  await writeFile(path, '{');
  expect(problemsOf({ BRAND_FILE: path })[0]).toContain('it is not JSON');
});

test('settings that duplicate it are refused', () => {
  const settings = { SUPPORT_URL: 'https://help.example', MAIL_FROM: 'a@b.example' };
  expect(problemsOf({ BRAND_FILE: example, ...settings })).toEqual([
    'SUPPORT_URL is set in addition to "support" of BRAND_FILE: remove one of them.',
    'MAIL_FROM is set in addition to "mail" of BRAND_FILE: remove one of them.',
  ]);
});

test('an operator command with a wrong file ends with status 1 and the reason', async () => {
  const BRAND_FILE = await brandFile({ name: 'Aurora', colors: {} });
  const { status, stdout, stderr } = await runAdminHere(['routes', 'check'], { BRAND_FILE });
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain('colors is not a known field (did you mean "colours"?).');
});
