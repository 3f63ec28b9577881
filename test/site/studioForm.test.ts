import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { sampleHost } from '../../gateway/src/adapters/net/sampleHost.ts';
import { priceOn, useStudio } from './support/useStudio.ts';

const studio = useStudio();

describe('the form', () => {
  test('follows the model and the mode, and shows the price', async () => {
    const first = await studio().visitor.get('/studio');
    expect(first.text).toContain('name="model" value="alpha-2.0-fast" checked');
    expect(priceOn(first)).toBe(50);
    expect(first.text).toMatch(/>\s*Create video · 50 credits\s*<\/button>/);
    const beta = await studio().update({
      model: 'beta-3.0',
      mode: 'multimodal-to-video',
      prompt: 'kept',
    });
    expect(beta.text).not.toContain('multimodal-to-video');
    expect(beta.text).toContain('value="2160p"');
    expect(beta.text).toContain('kept</textarea>');
    expect(beta.text).not.toContain('real_person_mode');
    const sound = await studio().update({
      model: 'beta-3.0',
      'parameters.duration_seconds': '7',
      'parameters.resolution': '2160p',
      'parameters.generate_audio': 'true',
    });
    expect(priceOn(sound)).toBe(525);
    const image = await studio().update({ model: 'image-b-pro', 'parameters.n': '3' });
    expect(priceOn(image)).toBe(36);
    expect(image.text).toContain('name="parameters.output_format"');
    expect(image.text).not.toContain('duration_seconds');
  });

  test("all problems are shown at once, with the field's name and the model's bounds", async () => {
    const page = await studio().create({
      model: 'alpha-2.0-fast',
      mode: 'text-to-video',
      prompt: 'x'.repeat(4001),
      'parameters.duration_seconds': '3',
      'parameters.seed': '0',
    });
    expect(page.status).toBe(400);
    const summary = /id="problems"[^]*?<\/div>/.exec(page.text)?.[0] ?? '';
    const links = [...summary.matchAll(/<a href="#([^"]+)">([^<]+)</g)].map(([, ...link]) => link);
    expect(links).toEqual(
      expect.arrayContaining([
        ['field-prompt', expect.stringMatching(/^Prompt: Use at most [\d,]+ characters/)],
        ['field-parameters-duration-seconds', 'Seconds: Must be a whole number from 4 to 15.'],
        ['field-parameters-seed', expect.stringMatching(/^Seed: /)],
      ]),
    );
    expect(links).toHaveLength(3);
    expect(page.field('parameters.seed')).toBe('0');
    // The element that a browser focuses, with and without the script.
    expect(page.text).toMatch(/id="problems" tabindex="-1" autofocus/);
  });

  test('refuses an input on an unapproved host at its own field', async () => {
    const page = await studio().create({
      model: 'alpha-2.0-fast',
      mode: 'multimodal-to-video',
      prompt: 'x',
      image_2: 'https://else.example/a.png',
    });
    expect(page.status).toBe(403);
    expect(page.text).toMatch(/id="field-image-2-problem">else\.example isn&#39;t approved/);
  });

  test('puts a working sample picture into the first empty place', async () => {
    const fields = { model: 'alpha-2.0-fast', mode: 'image-to-video', prompt: 'drift' };
    const filled = await studio().visitor.post('/studio', { do: 'sample:balloons.jpg', ...fields });
    const url = `https://${sampleHost}/balloons.jpg`;
    expect(filled.field('first_frame')).toBe(url);
    const made = await studio().create({ ...fields, first_frame: url });
    expect(made.path).toMatch(/^\/studio\?generation=gen_/);
    const [, address = ''] = /src="(\/site\/samples\/[^"]+)"/.exec(filled.text) ?? [];
    const picture = await fetch(studio().gateway.origin + address);
    expect(picture.headers.get('content-type')).toBe('image/webp');
    const { format, width } = await sharp(await picture.bytes()).metadata();
    expect([format, width]).toEqual(['webp', 320]);
  });

  test('requires rights and consent in real-person mode', async () => {
    const fields = {
      model: 'alpha-2.0-pro',
      mode: 'image-to-video',
      prompt: 'a portrait',
      first_frame: `https://${sampleHost}/balloons.jpg`,
      'parameters.real_person_mode': 'true',
    };
    const asked = await studio().create(fields);
    expect(asked.status).toBe(422);
    expect(asked.text).toContain('id="rights-problem"');
    expect(asked.text).toContain('id="field-compliance-consent-reference-problem"');
    const made = await studio().create({
      ...fields,
      'compliance.rights_confirmed': 'true',
      'compliance.consent_reference': 'release/42',
    });
    expect((await studio().pageOf(made)).text).toContain('release/42');
  });

  test('states a price beyond the balance in credits, and charges nothing', async () => {
    const { database } = studio().gateway;
    const before = (await database.accounts.find(studio().accountId))?.lots;
    const page = await studio().create({
      model: 'alpha-2.5',
      mode: 'text-to-video',
      prompt: 'x',
      'parameters.duration_seconds': '15',
      'parameters.resolution': '1080p',
      'parameters.generate_audio': 'true',
    });
    expect(page.status).toBe(402);
    expect(page.text).toMatch(/This costs 675 credits, but you only have \d+\./);
    expect((await database.accounts.find(studio().accountId))?.lots).toEqual(before);
    expect(priceOn(page)).toBe(675);
  });
});
