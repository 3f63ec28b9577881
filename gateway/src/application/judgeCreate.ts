import {
  findModel,
  type CreateImageBody,
  type CreateVideoBody,
  type Model,
} from '@framegate/contract';
import { priceCredits, pricingOf } from '@framegate/contract';
import { createImageSchema, createVideoSchema, validateBody } from '@framegate/contract/schemas';
import type { ApiKey } from '../domain/account.ts';
import type { VersionedSecret } from '../domain/apiKey.ts';
import type { ImageParameters, VideoParameters } from '@framegate/contract';
import type { GenerationInput } from '../domain/generation.ts';
import { unavailableSeconds } from '../domain/breaker.ts';
import { combinationProblems, type Combination } from '../domain/combination.ts';
import { hostMatches } from '../domain/inputHost.ts';
import { judgeInputUrl } from '../domain/inputUrl.ts';
import { parseOwnOutputUrl } from '../domain/mediaUrl.ts';
import { requireRealPersonAllowed } from '../domain/realPerson.ts';
import { invalidRequest, Refusal } from '../domain/refusal.ts';
import { resolveImageRequest, resolveVideoRequest } from '../domain/requestRules.ts';
import type { SafetyPolicy } from '../domain/safetyPolicy.ts';
import { canUse } from './listModels.ts';
import type { BreakerStore } from './ports/breakerStore.ts';
import type { Random } from './ports/random.ts';
import type { Routes } from './ports/route.ts';

/** A request that may be made: effective values, what it costs, and which files it reads. */
export interface JudgedRequest {
  type: 'video' | 'image';
  model: string;
  mode: string | null;
  prompt: string;
  inputs: GenerationInput[];
  parameters: VideoParameters | ImageParameters;
  consentReference: string | null;
  costCredits: number;
}

/** What a request is judged by. */
export interface CreateRules {
  models: readonly Model[];
  routes: Routes;
  breakers: BreakerStore;
  random: Random;
  mediaUrl: string;
  mediaSigningKeys: readonly VersionedSecret[];
  /** The operator's rules; nothing in a request changes them. */
  safety: SafetyPolicy;
}

/** Who asks: a key, with its models and hosts, or the account's own site. */
export type Requester = Pick<ApiKey, 'models' | 'hosts'>;

/**
 * Judges a create in the order of design section 4: shape, model, the model's rules, input URLs and
 * their hosts, real-person rules, safety rules, price.
 * @throws Refusal for the first rule that it breaks; all problems of shape at once.
 */
export function judgeCreate(
  rules: CreateRules,
  type: 'video' | 'image',
  body: unknown,
  requester: Requester,
  nowMs: number,
): JudgedRequest {
  const judged =
    type === 'video' ? judgeVideo(rules, body, requester) : judgeImage(rules, body, requester);
  const { model, request, consentReference } = judged;
  const inputs = request.inputs.map((input, index) =>
    judgeInput(rules, input, `inputs[${index}].url`, requester, nowMs),
  );
  const wanted = consentReference();
  const safetyRule = rules.safety.judge(request.prompt);
  if (safetyRule !== null) {
    throw new Refusal('content_policy_violation', { param: 'prompt', safetyRule });
  }
  const parameters = {
    ...request.parameters,
    seed: request.parameters.seed ?? rules.random.seed(),
  };
  const mode = 'mode' in request ? request.mode : null;
  requireRoute(rules, model, { type, mode, inputs, parameters }, nowMs);
  return {
    type,
    model: model.id,
    mode,
    prompt: request.prompt,
    inputs,
    parameters,
    consentReference: wanted,
    costCredits: priceCredits(pricingOf(model), parameters),
  };
}

function judgeVideo(rules: CreateRules, body: unknown, requester: Requester) {
  const valid = requireValid(validateBody<CreateVideoBody>(createVideoSchema, body));
  const model = requireModel(rules, valid.model, 'video', requester);
  const request = resolveVideoRequest(model, valid);
  const consentReference = () => requireRealPersonAllowed(model, valid)?.consentReference ?? null;
  return { model, request, consentReference };
}

function judgeImage(rules: CreateRules, body: unknown, requester: Requester) {
  const valid = requireValid(validateBody<CreateImageBody>(createImageSchema, body));
  const model = requireModel(rules, valid.model, 'image', requester);
  return { model, request: resolveImageRequest(model, valid), consentReference: () => null };
}

function requireValid<T>(result: ReturnType<typeof validateBody<T>>): T {
  if (result.ok) return result.value;
  throw invalidRequest(result.problems);
}

/** The model, if it exists, makes this type, has a route, and the key may use it: else all alike. */
function requireModel<T extends Model['type']>(
  rules: CreateRules,
  id: string,
  type: T,
  requester: Requester,
): Extract<Model, { type: T }> {
  const model = rules.models.find((each) => each.id === id) ?? findModel(id);
  if (model?.type !== type || !canUse(requester.models, id, rules.routes)) {
    throw new Refusal('model_not_found', { param: 'model' });
  }
  return model as Extract<Model, { type: T }>;
}

function judgeInput(
  rules: CreateRules,
  input: Pick<GenerationInput, 'type' | 'role' | 'url'>,
  param: string,
  requester: Requester,
  nowMs: number,
): GenerationInput {
  const own = parseOwnOutputUrl(input.url, rules.mediaUrl, rules.mediaSigningKeys, nowMs);
  if (own === 'invalid' || own === 'expired') {
    throw new Refusal('input_url_invalid', {
      param,
      message:
        own === 'expired'
          ? 'This output URL has expired: read its generation again for a new one.'
          : 'This is not an output URL as the API gave it: copy it from the generation unchanged.',
    });
  }
  if (own) {
    return { ...input, ownOutput: { generationId: own.generationId, index: own.index } };
  }
  const judged = judgeInputUrl(input.url);
  if (!judged.ok) throw new Refusal('input_url_invalid', { param, message: judged.reason });
  const matching = requester.hosts.filter(({ rule }) => hostMatches([rule], judged.host));
  if (!matching.some(({ state }) => state === 'approved')) {
    const isWaiting = matching.some(({ state }) => state === 'requested');
    throw new Refusal('input_host_not_approved', {
      param,
      ...(isWaiting && {
        message: `You have asked for the host ${judged.host}, and it waits for approval. Use an approved host until then.`,
      }),
    });
  }
  return { ...input, ownOutput: null };
}

/**
 * A route that covers the whole request must be there (400 otherwise), and not every provider of the
 * model may have been closed off for ten minutes (503, design section 3).
 */
function requireRoute(
  { routes, breakers }: CreateRules,
  model: Model,
  request: Combination,
  nowMs: number,
): void {
  const all = routes.of(model.id);
  const isCovered = (each: Combination) => all.some((route) => route.covers(each));
  if (!isCovered(request)) throw invalidRequest(combinationProblems(model, request, isCovered));
  const providers = [...new Set(all.map(({ provider }) => provider))];
  const states = providers.map((provider) => breakers.of(provider));
  const retryAfterSeconds = unavailableSeconds(states, nowMs);
  if (retryAfterSeconds !== null) throw new Refusal('model_unavailable', { retryAfterSeconds });
}
