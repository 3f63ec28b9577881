import Joi from 'joi';
import { didYouMean, jsonPath } from '@framegate/contract';
import type { ComfyUiProvider, HttpProvider, RouteEntry } from '../configuredRoutes.ts';
import type { Abilities } from '../routeSupport.ts';
import { type Graph, inputProblems } from './graph.ts';

/** A ComfyUI entry as written. */
export type ComfyUiJson = Pick<
  ComfyUiProvider,
  Exclude<keyof ComfyUiProvider, keyof HttpProvider | 'baseURL'>
> &
  Pick<
    HttpProvider,
    'maxConcurrent' | 'errorRules' | 'budget' | 'delivery' | 'allowPrivateNetwork' | 'polls'
  > & {
    /** URLs by the operator's server names. */
    servers: Record<string, string>;
  };

/** The parts of a route that name its workflow and the workflow's inputs. */
export type WorkflowRoute = Pick<RouteEntry, 'model' | 'send' | 'options' | 'realPersonOptions'>;

/** A workflow in API format. */
const workflow = Joi.object()
  .pattern(
    /^[\w:]+$/,
    Joi.object({ class_type: Joi.string().required(), inputs: Joi.object().required() }).unknown(),
  )
  .min(1)
  .custom((value: Record<string, unknown>, helpers) =>
    Array.isArray(value['nodes']) ? helpers.error('workflow.format') : value,
  );

/** Schema of ComfyUI's own fields. @param url Schema of a URL. */
export const comfyFields = (url: Joi.Schema): Joi.SchemaMap => ({
  servers: Joi.object()
    .pattern(/^[a-z0-9][a-z0-9_-]{0,30}$/, url)
    .min(1)
    .required(),
  workflows: Joi.object()
    .pattern(
      /^[a-z0-9][a-z0-9._-]{0,99}$/i,
      Joi.alternatives().conditional(Joi.object({ nodes: Joi.array().required() }).unknown(), {
        then: Joi.forbidden().messages({
          'any.unknown': 'must be in API format: export it from ComfyUI with Export (API)',
        }),
        otherwise: workflow,
      }),
    )
    .min(1)
    .required(),
});

/** The providers of an entry's servers. Each has its own slots, health and budget. */
export function comfyProviders(
  name: string,
  { servers, ...json }: ComfyUiJson,
  keys: HttpProvider['keys'],
): ComfyUiProvider[] {
  return Object.entries(servers).map(([server, baseURL]) => {
    const { origin, host } = new URL(baseURL);
    return {
      ...json,
      name: serverName(name, server),
      keys,
      baseURL,
      rewriteOrigins: new Map(),
      apiOrigins: new Set([origin]),
      mediaHosts: [host],
    };
  });
}

/** The provider name of a server. */
export const serverName = (provider: string, server: string) => `${provider}.${server}`;

/**
 * The abilities of a workflow, narrowed by its inputs: it loads a picture for each of them in every order, so it makes
 * nothing without these pictures.
 */
export function needsOf({ send }: Pick<WorkflowRoute, 'send'>, does: Abilities): Abilities {
  const takes = {
    'image-to-video': send.firstFrame !== undefined,
    'multimodal-to-video': send.images !== undefined,
  };
  const isFilled = Object.values(takes).includes(true);
  const modes = does.modes?.filter((mode) =>
    mode in takes ? takes[mode as keyof typeof takes] : !isFilled,
  );
  return {
    ...does,
    ...(modes && { modes }),
    requires: [
      ...(send.lastFrame === undefined ? [] : (['lastFrame'] as const)),
      ...(send.images === undefined ? [] : (['references'] as const)),
    ],
  };
}

/** Problems of a route to a workflow, each with its JSON path. */
export function workflowProblems(
  workflows: Readonly<Record<string, Graph>>,
  { model, send, options, realPersonOptions }: WorkflowRoute,
  at: readonly (string | number)[],
): string[] {
  const graph = workflows[model];
  const names = Object.keys(workflows);
  if (!graph) {
    const where = jsonPath([...at, 'model']);
    return [`${where} is "${model}", which is not in workflows${didYouMean(model, names)}.`];
  }
  const optionFields = { options, realPersonOptions };
  return [
    ...(send.prompt === undefined
      ? [`${jsonPath([...at, 'send'])} must name the input for the prompt.`]
      : []),
    ...(['videos', 'audios'] as const).flatMap((promise) =>
      send[promise] === undefined
        ? []
        : [`${jsonPath([...at, 'send', promise])} is not possible: only pictures are uploaded.`],
    ),
    ...inputProblems(graph, { send, options: Object.entries(optionFields) }, at),
  ];
}
