import {
  coversHost,
  type CreateImageBody,
  type CreateVideoBody,
  type ErrorDetail,
  type Model,
  priceCredits,
  pricingOf,
  textsIn,
} from '@framegate/contract';
import { createImageSchema, createVideoSchema, validateBody } from '@framegate/contract/schemas';
import type { Route, RoutedRequest } from '@framegate/provider-routes';
import type { ApiKey } from '../../../domain/accounts/apiKey.ts';
import { parseOwnOutputUrl } from '../../../domain/generations/mediaUrl.ts';
import type { GenerationInput, NetPrice, OrderedWork } from '../../../domain/generations/order.ts';
import { requireRealPersonAllowed } from '../../../domain/generations/realPerson.ts';
import {
  resolveImageRequest,
  resolveVideoRequest,
  withRangeOf,
} from '../../../domain/generations/requestRules.ts';
import { parseUploadUrl } from '../../../domain/generations/uploads.ts';
import { parseInputUrl } from '../../../domain/network/inputUrl.ts';
import { unavailableSeconds } from '../../../domain/providers/breaker.ts';
import { combinationProblems } from '../../../domain/providers/combination.ts';
import { invalidRequestRefusal, Refusal } from '../../../domain/refusal.ts';
import type { App } from '../../app.ts';
import type { AccountOffer } from '../../catalogue/offer.ts';
import type { Database } from '../../ports/database.ts';
import { breakersOfOfferedRoutes, canUse } from '../reads.ts';

/** An accepted request: effective values, price and input files. */
export interface CheckedRequest extends OrderedWork, Pick<NetPrice, 'costCredits'> {
  consentReference: string | null;
}

/** The requester: a key with its models and hosts, or the account's own site. */
export type Requester = Pick<ApiKey, 'models' | 'hosts'> & {
  /** Only the site may name uploads; the API has none. */
  mayUpload?: boolean;
};

/**
 * Checks the body of a create request against every rule except the account's, and prices it. The order decides which
 * error a caller gets: shape, model, the model's rules, input URLs and their hosts, real-person rules, safety
 * rules, routes.
 * @param offer The account's models, at its prices.
 * @throws Refusal for the first broken rule; all problems of shape together.
 */
export function checkRequest(
  deps: App,
  offer: OfferedModels,
  type: 'video' | 'image',
  body: unknown,
  requester: Requester,
  nowMs: number,
): CheckedRequest {
  const { model, request, requireConsent } =
    type === 'video'
      ? checkVideo(deps, offer, body, requester)
      : checkImage(deps, offer, body, requester);
  const inputs = request.inputs.map((input, index) => ({
    ...input,
    ...checkInputUrl(deps, input.url, `inputs[${index}].url`, requester, nowMs),
  }));
  const consentReference = requireConsent();
  const texts = textsIn(request.parameters).map(([name, text]) => [`parameters.${name}`, text]);
  for (const [param = '', text = ''] of [['prompt', request.prompt], ...texts]) {
    const safetyRule = deps.safety.findBrokenRule(text);
    if (safetyRule !== null) throw new Refusal('content_policy_violation', { param, safetyRule });
  }
  const parameters = {
    ...request.parameters,
    seed: request.parameters.seed ?? deps.random.seed(),
  };
  const mode = 'mode' in request ? request.mode : null;
  const routes = deps.routes.forModel(model.id, offer.group);
  requireRoute(deps, routes, model, { type, mode, inputs, parameters }, nowMs);
  return {
    type,
    model: model.id,
    mode,
    prompt: request.prompt,
    inputs,
    parameters,
    consentReference,
    costCredits: priceCredits(pricingOf(model), parameters),
  };
}

type OfferedModels = Pick<AccountOffer, 'models' | 'group'>;

function checkVideo(deps: App, offer: OfferedModels, body: unknown, requester: Requester) {
  const shape = validateBody<CreateVideoBody>(createVideoSchema, body);
  const modelOf = (id: unknown) => usableModel(deps, offer, id, 'video', requester);
  const valid = requireValid(shape, () => modelOf(modelIdOf(body)));
  const model = requireModel(modelOf(valid.model));
  const request = resolveVideoRequest(model, valid);
  const requireConsent = () => requireRealPersonAllowed(model, valid)?.consentReference ?? null;
  return { model, request, requireConsent };
}

function checkImage(deps: App, offer: OfferedModels, body: unknown, requester: Requester) {
  const shape = validateBody<CreateImageBody>(createImageSchema, body);
  const modelOf = (id: unknown) => usableModel(deps, offer, id, 'image', requester);
  const valid = requireValid(shape, () => modelOf(modelIdOf(body)));
  const model = requireModel(modelOf(valid.model));
  return { model, request: resolveImageRequest(model, valid), requireConsent: () => null };
}

/** @param modelOf The model whose own range the message names; undefined if the body names no usable model. */
function requireValid<T>(
  result: ReturnType<typeof validateBody<T>>,
  modelOf: () => Model | undefined,
): T {
  if (result.ok) return result.value;
  throw invalidRequestRefusal(withRangeOf(modelOf(), result.problems));
}

function modelIdOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'model' in body ? body.model : undefined;
}

/** The model, if it exists, makes this type, has a route, and is allowed for the key. */
function usableModel<T extends Model['type']>(
  deps: App,
  { models, group }: OfferedModels,
  id: unknown,
  type: T,
  requester: Requester,
): Extract<Model, { type: T }> | undefined {
  if (typeof id !== 'string') return undefined;
  const model = models.find((each) => each.id === id);
  if (model?.type !== type || !canUse({ models: requester.models, group }, id, deps.routes)) {
    return undefined;
  }
  return model as Extract<Model, { type: T }>;
}

/** @throws Refusal, identical for every unusable model. */
function requireModel<M extends Model>(model: M | undefined): M {
  if (model === undefined) throw new Refusal('model_not_found', { param: 'model' });
  return model;
}

/**
 * Checks the URL of an input: an own output or upload, or an https URL on an approved host.
 * @returns The account's file that it names, if any; its existence is not checked.
 * @throws Refusal
 */
export function checkInputUrl(
  deps: Pick<App, 'publicUrls'>,
  url: string,
  param: string,
  requester: Pick<Requester, 'hosts' | 'mayUpload'>,
  nowMs: number,
): Pick<GenerationInput, 'ownOutput' | 'ownUpload'> {
  const own = parseOwnOutputUrl(
    url,
    deps.publicUrls.mediaUrl,
    deps.publicUrls.mediaSigningKeys,
    nowMs,
  );
  if (own && !own.ok) {
    throw new Refusal('input_url_invalid', {
      param,
      message:
        own.reason === 'expired'
          ? 'This output URL has expired: read its generation again to get a new one.'
          : 'This is not an output URL that the API returned: copy it unchanged from the generation.',
    });
  }
  if (own) {
    return { ownOutput: { generationId: own.generationId, index: own.index } };
  }
  const upload = requester.mayUpload ? parseUploadUrl(url, deps.publicUrls.mediaUrl) : null;
  if (upload !== null) return { ownOutput: null, ownUpload: upload };
  const parsed = parseInputUrl(url);
  if (!parsed.ok) throw new Refusal('input_url_invalid', { param, message: parsed.reason });
  const matching = requester.hosts.filter(({ rule }) => coversHost([rule], parsed.host));
  if (!matching.some(({ state }) => state === 'approved')) {
    const isWaiting = matching.some(({ state }) => state === 'requested');
    throw new Refusal('input_host_not_approved', {
      param,
      message: isWaiting
        ? `You have requested the host ${parsed.host}, which is waiting for approval. Use an approved host until then.`
        : `The host of an input URL, ${parsed.host}, is not approved for this API key. Request approval in your account settings, or use an approved host.`,
    });
  }
  return { ownOutput: null };
}

/**
 * Requires a route that covers the whole request (else 400), and at least one route of the model that is open or will
 * reopen within ten minutes, and that staff have not stopped the model (else 503).
 */
function requireRoute(
  deps: App,
  all: readonly Route[],
  model: Model,
  request: RoutedRequest,
  nowMs: number,
): void {
  const isCovered = (each: RoutedRequest) => all.some((route) => route.covers(each));
  if (!isCovered(request)) {
    throw invalidRequestRefusal(combinationProblems(model, request, isCovered));
  }
  const retryAfterSeconds = unavailableSeconds(breakersOfOfferedRoutes(deps, model.id, all), nowMs);
  if (retryAfterSeconds !== null) throw new Refusal('model_unavailable', { retryAfterSeconds });
}

/**
 * Requires outputs and uploads named as inputs to belong to the account and to exist.
 * @throws Refusal `input_url_invalid`, naming all that do not.
 */
export async function requireOwnOutputs(
  { database }: { database: Pick<Database, 'generations' | 'uploads'> },
  accountId: string,
  { inputs }: CheckedRequest,
): Promise<void> {
  const problems: ErrorDetail[] = [];
  const addProblem = (index: number, message: string) => {
    problems.push({ param: `inputs[${index}].url`, code: 'input_url_invalid', message });
  };
  for (const [index, { ownOutput, ownUpload }] of inputs.entries()) {
    if (ownUpload !== undefined) {
      const upload = await database.uploads.find(ownUpload);
      if (upload?.accountId !== accountId || upload.key === null) {
        addProblem(index, 'This file is no longer available: choose it again.');
      }
    }
    if (!ownOutput) continue;
    const source = await database.generations.findView(ownOutput.generationId, accountId);
    const isThere =
      source?.accountId === accountId &&
      source.outputsRemovedAt === null &&
      source.outputs[ownOutput.index] !== undefined;
    if (!isThere) {
      addProblem(index, 'This is not one of your outputs, or it is no longer available.');
    }
  }
  const [first] = problems;
  if (first) {
    throw new Refusal('input_url_invalid', {
      param: first.param,
      message: first.message,
      details: problems,
    });
  }
}
