import { describe, expect, test } from '@jest/globals';
import { createCanvas } from '@napi-rs/canvas';
import { composePicture } from '../../gateway/preview/src/child/composePicture.ts';
import { useRenderer } from './useRenderer.ts';

const size = { width: 320, height: 180 };

/** The picture of a prompt, drawn as in the renderer's child process. */
function draw(prompt: string): Buffer {
  const canvas = createCanvas(size.width, size.height);
  const drawAt = composePicture({
    prompt,
    seed: 7,
    size,
    firstFrame: null,
    lastFrame: null,
    references: [],
  });
  drawAt(canvas.getContext('2d'), 2, 0.5);
  return canvas.data();
}

const prompts: [string, string][] = [
  ['nothing', ''],
  ['blanks', ' \n\t '],
  ['control characters', '\u0000\u0007\u001b[2J\u009b'],
  ['markup', '<svg onload="x"><image href="file:///etc/passwd"/></svg>&lt;&amp;'],
  ['font and filter strings', '"; } url(http://127.0.0.1/) blur(99px) 900px sans-serif'],
  ['paths and templates', '../../../../etc/passwd ${process.exit(1)} {{7*7}} %s%n $(id) `id`'],
  ['one word of 5,000 letters', 'w'.repeat(5000)],
  ['5,000 emoji', '👩🏽‍🚀'.repeat(1250)],
  ['5,000 line breaks', 'a\n'.repeat(2500)],
  ['stacked marks', `Z${'\u0335\u0489\u20dd'.repeat(1600)}`],
  ['joiners only', '\u200d\ufe0f'.repeat(2500)],
  ['lone surrogates', '\ud83d '.repeat(2500)],
  ['direction overrides', '\u202eevil\u2066\u2067'.repeat(500)],
  ['unassigned characters', '\u{e0fff}\u{3ffff}\ufdd0\u0378'.repeat(500)],
  ['scripts that no font has', '𐎀𐎁𐎂 𒀀𒀁 𓀀𓀁'.repeat(300)],
  ['Arabic and Latin mixed', 'مرحبا (hello) 123 '.repeat(280)],
  ['JSON and prototype names', '{"__proto__":{"kind":"image"},"constructor":1}'],
];

describe('any prompt is drawn only as text', () => {
  test.each(prompts)('%s', (_, prompt) => {
    const pixels = draw(prompt);
    const opaque = pixels.every((value, at) => at % 4 !== 3 || value === 255);
    expect(opaque).toBe(true);
    expect(draw(prompt).equals(pixels)).toBe(true);
  });

  test('markup shows as its characters: its picture differs from that of its text', () => {
    expect(draw('<b>fox</b>').equals(draw('fox'))).toBe(false);
  });
});

describe('through the renderer', () => {
  const renderer = useRenderer();

  test('draws all of them in one prompt', async () => {
    const prompt = prompts.map(([, text]) => text.slice(0, 200)).join('\n');
    const { images } = await renderer().images({ prompt });
    expect(images[0]?.length).toBeGreaterThan(1000);
  });

  test('treats a missing prompt as an empty prompt', async () => {
    const [without, empty] = [
      await renderer().images({ prompt: undefined }),
      await renderer().images({ prompt: '' }),
    ];
    expect(without.images).toEqual(empty.images);
  });
});
