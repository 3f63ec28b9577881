import type { ServerResponse } from 'node:http';
import { createChance } from '../faults/chance.ts';

/** Responses of a file host that has the file but sends something else. Each is a new response, as with a real host. */
const responses = {
  half: (response, file, number) => {
    const part = file.subarray(0, Math.floor(file.length / (2 + (number % 7) / 10)));
    response.writeHead(200, { 'content-length': part.length }).end(part);
  },
  empty: (response) => response.writeHead(200, { 'content-length': 0 }).end(),
  'whole, as a part': (response, file) => {
    const range = `bytes 0-${file.length - 1}/${file.length}`;
    response.writeHead(206, { 'content-type': 'text/plain', 'content-range': range }).end(file);
  },
  'a part': (response, file) => {
    const part = file.subarray(0, file.length >> 1);
    const range = `bytes 0-${part.length - 1}/${file.length}`;
    response.writeHead(206, { 'content-range': range }).end(part);
  },
  text: (response, _, number) => {
    response.writeHead(200, { 'content-type': 'text/plain' }).end(`not ready (${String(number)})`);
  },
  json: (response, _, number) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { code: 'file_not_ready', request: number } }));
  },
  'cut off': (response, file) => {
    response.writeHead(200, { 'content-length': file.length });
    response.write(file.subarray(0, file.length >> 1), () => response.destroy());
  },
} satisfies Record<string, (response: ServerResponse, file: Buffer, number: number) => void>;

/** The kinds of its imperfect responses. */
export const imperfections = Object.keys(responses) as (keyof typeof responses)[];

/** A host that answers some of the first requests for a URL imperfectly. */
export interface ImperfectHost {
  serve: (response: ServerResponse, file: Buffer, path: string) => void;
  /** Imperfect responses so far, by kind. */
  given: Map<string, number>;
}

/** @param share Of the first requests, from 0 to 1. @param seed Of the responses, in the order of the URLs. */
export function createImperfectHost(share: number, seed: number): ImperfectHost {
  const chance = createChance(seed);
  const seen = new Set<string>();
  const given = new Map<string, number>();
  return {
    given,
    serve(response, file, path) {
      const number = seen.size;
      if (seen.has(path) || chance.fraction() >= share) {
        seen.add(path);
        response.writeHead(200, { 'content-length': file.length }).end(file);
        return;
      }
      seen.add(path);
      const kind = chance.pick(imperfections);
      given.set(kind, (given.get(kind) ?? 0) + 1);
      responses[kind](response, file, number);
    },
  };
}
