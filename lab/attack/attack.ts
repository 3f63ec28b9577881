import { createShot, load, type Shot } from '../bench/load.ts';
import { listed } from '../figures.ts';
import {
  mp4OfUnknownCodecs,
  slowSound,
  webmOfClusters,
} from '../../gateway/media/test/hostileFiles.ts';
import { image } from '../../test/support/bodies.ts';

/** The means of an attacker: the address of an api process, a key of its own, and files that are served. */
export interface Target {
  origin: string;
  apiKey: string;
  /** Addresses of a good picture and of the hostile files. */
  files: Record<'picture' | HostileFile, string>;
  /** Cookies of four accounts that are signed in, the first of them that of the key. */
  sessions: readonly string[];
  /** A small file with very many pixels, in base64. */
  hugePicture: string;
}

/** One attack, which goes on for `forMs`. @returns how the attacker was answered. */
export interface Attack {
  what: string;
  /** Whether its account has a history of long prompts. */
  needsHistory?: true;
  /** Whether the bystander uploads files to the studio meanwhile, because uploads are the target. */
  watchesUploads?: true;
  play(target: Target, forMs: number): Promise<string>;
}

/** The files that cost their reader most. */
export const hostileFiles = {
  sound: slowSound,
  clusters: () => webmOfClusters(400_000),
  codecs: () => mp4OfUnknownCodecs(3_000),
};
/** Their names. */
export type HostileFile = keyof typeof hostileFiles;

/** Sends requests on so many connections, each as soon as its last one is answered. @returns the answers. */
export async function flood(
  { origin }: Target,
  forMs: number,
  next: () => Shot,
  connections = 32,
): Promise<string> {
  const { statuses } = await load({ origins: [origin], connections, forMs, next });
  return listed(statuses);
}

/** A create of an image. */
export const create = (apiKey: string, idempotencyKey?: string): Shot =>
  createShot(apiKey, '/v1/images', image({ prompt: 'An attack' }), idempotencyKey);
