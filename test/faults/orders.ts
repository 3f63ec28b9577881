import { image, imageInput, video } from '../support/bodies.ts';
import type { Chance } from './chance.ts';
import type { InputHost } from './inputHost.ts';

/** Requests of clients in a crash run. */
export const orderKinds = [
  'text to video',
  'picture to video',
  'own picture to video',
  'image',
  'own picture to image',
] as const;

/** One of them. */
export type OrderKind = (typeof orderKinds)[number];

/** One create request as sent by a client. */
export interface Order {
  kind: OrderKind;
  path: '/v1/videos' | '/v1/images';
  prompt: string;
  body: Record<string, unknown>;
  /** Price of the order. */
  credits: number;
  /** Number of files; the provider may accept no more than that. */
  files: number;
}

/** Ingredients of the orders of a run. */
export interface OrderParts {
  chance: Chance;
  inputs: InputHost;
  /** The URL of a finished picture of the account. */
  ownPicture: string;
}

/** Four seconds of alpha-2.0-mini in 480p. */
const clip = { parameters: { duration_seconds: 4, resolution: '480p' } };
const clipCredits = 12;

/** An order of text to video. */
export function clipOrder(prompt: string): Order {
  const body = video({ prompt, ...clip });
  return { ...videoParts, kind: 'text to video', prompt, body };
}

const videoParts = { path: '/v1/videos', credits: clipCredits, files: 1 } as const;

/** An order of any kind; only `prompt` identifies it. */
export function makeOrder(kind: OrderKind, prompt: string, parts: OrderParts): Order {
  const { chance, inputs, ownPicture } = parts;
  switch (kind) {
    case 'text to video':
      return clipOrder(prompt);
    case 'picture to video': {
      const nature = chance.pick(['steady', 'steady', 'changes', 'vanishes'] as const);
      return fromPicture(kind, prompt, inputs.url(encodeURIComponent(prompt), nature));
    }
    case 'own picture to video':
      return fromPicture(kind, prompt, ownPicture);
    case 'image':
      return imageOrder(kind, prompt, chance.pick(imageModels), 1 + chance.below(2), []);
    case 'own picture to image':
      return imageOrder(kind, prompt, imageModels[0], 1 + chance.below(2), [
        imageInput(ownPicture),
      ]);
  }
}

function fromPicture(kind: OrderKind, prompt: string, url: string): Order {
  const inputs = [imageInput(url, { role: 'first_frame' })];
  return {
    ...videoParts,
    kind,
    prompt,
    body: video({ mode: 'image-to-video', prompt, inputs, ...clip }),
  };
}

/** The first is created with all images in one call, the second with a call for each. */
const imageModels = [
  { model: 'image-a-2', each: 8 },
  { model: 'image-b-2', each: 6 },
] as const;

function imageOrder(
  kind: OrderKind,
  name: string,
  { model, each }: (typeof imageModels)[number],
  files: number,
  inputs: unknown[],
): Order {
  // The provider reads the number of files there.
  const prompt = `${name} n${files}`;
  const body = image({
    model,
    prompt,
    parameters: { n: files },
    ...(inputs.length > 0 && { inputs }),
  });
  return { kind, path: '/v1/images', prompt, body, credits: files * each, files };
}
