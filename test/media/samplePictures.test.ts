import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { createGuardedFetch } from '../../gateway/src/adapters/net/guardedFetch.ts';
import {
  sampleFolder,
  sampleHost,
  samplePictures,
} from '../../gateway/src/adapters/net/sampleHost.ts';

test.each(samplePictures)('%s is a small picture that the sample host has', async (name) => {
  const bundledHosts = new Map([[sampleHost, sampleFolder]]);
  const fetchUrl = createGuardedFetch({ hostOverrides: new Map(), bundledHosts });
  const options = { maxBytes: 150_000, signal: new AbortController().signal };
  const picture = await buffer(await fetchUrl(`https://${sampleHost}/${name}`, options));
  const { format, width, height } = await sharp(picture).metadata();
  expect([format, width, height]).toEqual(['jpeg', 1280, 720]);
});
