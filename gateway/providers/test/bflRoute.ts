import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import type { Submission } from '../src/route.ts';
import { type FakeBfl, type Plan, startFakeBfl } from './fakeBfl.ts';
import { closeRoutes, imageRequest, never, openRoute, wordOf } from './routeFixtures.ts';
import { png } from './tinyServer.ts';

/** Black Forest Labs' package as published on npm, against a server that speaks the documented protocol. */
export interface BflRoute {
  bfl: FakeBfl;
  open: (model?: string, more?: RouteOptions) => ReturnType<typeof openRoute>;
  /** Outcome of an order of one image. */
  order: (plan: Plan, more?: RouteOptions) => Promise<BflOrder>;
}

interface RouteOptions {
  imageTimes?: typeof patient;
  /** Further fields of the provider's entry. */
  provider?: object;
  /** Options of the route. */
  options?: object;
}

/** Outcome of an order, with the numbers of its requests, polls and downloads. */
interface BflOrder {
  made: Submission;
  word: object;
  submits: number;
  polls: number;
  files: number;
}

/** Long enough for everything that ends by itself. */
const patient = { callMs: minuteMs, pauseMs: 1 };
/** Ends runs that would never end by themselves. */
export const brief = { callMs: 1500, pauseMs: 100 };

export const empty = (response: ServerResponse): void => void response.writeHead(200).end();
export const hang = (): void => undefined;

/** Runs it for the tests of a file; plans and requests are forgotten after each. */
export function useBflRoute(): () => BflRoute {
  let bfl: FakeBfl;
  beforeAll(async () => {
    bfl = await startFakeBfl(png);
  });
  afterEach(() => {
    bfl.plan = () => ({});
    for (const { got } of Object.values(bfl.servers)) got.length = 0;
  });
  afterAll(async () => {
    await closeRoutes();
    await bfl.close();
  });
  return () => routeTo(bfl);
}

function routeTo(bfl: FakeBfl): BflRoute {
  const open: BflRoute['open'] = (
    model = 'flux-2-pro',
    { imageTimes = patient, provider = {}, options = {} } = {},
  ) =>
    openRoute(
      {
        kind: 'ai-sdk',
        package: '@ai-sdk/black-forest-labs',
        factory: 'createBlackForestLabs',
        mediaHosts: ['*.bfl.ai'],
        allowPrivateNetwork: true,
        rewriteOrigins: bfl.rewriteOrigins,
        options: { pollIntervalMillis: 1 },
        ...provider,
      },
      model,
      { type: 'image', imageTimes, route: { options } },
    );
  return {
    bfl,
    open,
    async order(plan, more) {
      bfl.plan = () => plan;
      const { route } = await open('flux-2-pro', more);
      const made = await route.submit(imageRequest(), never);
      const { api, region, delivery } = bfl.servers;
      return {
        made,
        word: wordOf(made),
        submits: api.got.length,
        polls: region.got.length,
        files: delivery.got.length,
      };
    },
  };
}
