import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { PollResult, Route } from '@framegate/provider-routes';
import {
  closeRoutes,
  type LoggedProblems,
  never,
  openRoute,
  videoRequest,
} from '../../gateway/providers/test/routeFixtures.ts';
import { type FakeArk, startFakeArk } from '../support/fakeArk/fakeArk.ts';
import { statedVideo } from '../support/statedSupport.ts';

/** A fake ModelArk, and a route to it. */
export interface ArkRoute {
  ark: FakeArk;
  route: Route;
  observed: LoggedProblems;
  /** Provider's entry for a routes file. */
  provider: { baseURL: string; mediaHosts: string[] };
  /** Submits and answers the handle of the accepted task. */
  accept: () => Promise<unknown>;
  poll: (operation: unknown) => Promise<PollResult>;
}

/** Runs them for the tests of a file; the fake forgets its script and its tasks after each. */
export function useArkRoute(): () => ArkRoute {
  let opened: ArkRoute;
  beforeAll(async () => {
    opened = await openArkRoute();
  });
  afterEach(() => {
    opened.ark.reset();
    opened.observed.errors.length = 0;
  });
  afterAll(async () => {
    await closeRoutes();
    await opened.ark.close();
  });
  return () => opened;
}

async function openArkRoute(): Promise<ArkRoute> {
  const ark = await startFakeArk();
  const provider = {
    kind: 'model-ark',
    baseURL: ark.baseURL,
    mediaHosts: [ark.mediaHost],
    allowPrivateNetwork: true,
  };
  const { route, observed } = await openRoute(provider, 'seedance', {
    key: ark.apiKey,
    route: { does: statedVideo },
  });
  return {
    ark,
    route,
    observed,
    provider,
    async accept() {
      const submission = await route.submit(videoRequest(), never);
      if (submission.kind !== 'accepted') throw new Error(JSON.stringify(submission));
      return submission.operation;
    },
    poll: (operation) => route.poll(operation, videoRequest(), never),
  };
}
