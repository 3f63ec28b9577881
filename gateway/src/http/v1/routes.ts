import { Router } from '@koa/router';
import type { Allowances } from '../../application/allowances.ts';
import { answerJson, staticAnswer } from '../answer.ts';
import { callerOf, type HttpMiddleware, type RequestState } from '../context.ts';
import { authenticateCaller } from '../middleware/authenticate.ts';
import type { ApiDocument } from '../site/apiDocument.ts';
import { limitReads } from '../middleware/limitReads.ts';
import { parseJson } from '../middleware/parseJson.ts';
import { createGeneration } from './createGeneration.ts';
import { getGeneration } from './getGeneration.ts';
import type { UseCases } from './useCases.ts';

/** What the API's routes work with. */
export interface V1Deps {
  useCases: UseCases;
  /** The OpenAPI document as it is served. */
  openApi: ApiDocument;
  /** Where the API is mounted, such as `/v1`. */
  basePath: string;
  allowances: Allowances;
}

/** The endpoints of the API. Paths are exact: case and trailing slash count. */
export function v1Routes(deps: V1Deps): Router<RequestState> {
  const { useCases, allowances } = deps;
  const authenticate = authenticateCaller(useCases.authenticate);
  const json = parseJson();
  const statusReads = limitReads(allowances, 'status-reads');
  const otherReads = limitReads(allowances, 'other-reads');

  const router = new Router<RequestState>({ prefix: deps.basePath, sensitive: true, strict: true });
  router.post('/videos', authenticate, json, createGeneration(useCases, '/v1/videos'));
  router.post('/images', authenticate, json, createGeneration(useCases, '/v1/images'));
  router.get('/generations/:id', authenticate, statusReads, getGeneration(useCases));
  router.get('/models', authenticate, otherReads, answer(useCases.listModels));
  router.get('/credits/balance', authenticate, otherReads, answer(useCases.getBalance));
  router.get('/openapi.json', staticAnswer(JSON.stringify(deps.openApi)));
  return router;
}

/** Answers what a use case says of the caller. */
function answer(useCase: UseCases['listModels'] | UseCases['getBalance']): HttpMiddleware {
  return async (ctx) => {
    answerJson(ctx, 200, JSON.stringify(await useCase(callerOf(ctx))));
  };
}
