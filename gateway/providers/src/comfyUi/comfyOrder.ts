import { createHash } from 'node:crypto';
import { seedRange, type ImageParameters, type VideoParameters } from '@framegate/contract';
import type { PreparedInput } from '../inputFiles.ts';
import type { ProviderRequest } from '../route.ts';
import type { RouteParts } from '../routeParts.ts';
import { writeImageCall, writeVideoCall } from '../writeCall.ts';
import type { ComfyFile } from './comfyServer.ts';
import { fillGraph, joinGraphs, type Graph, type GraphValues } from './graph.ts';

/** A workflow with the values of an order. @param inputs Uploaded pictures. */
export function writeOrder(
  graph: Graph,
  request: ProviderRequest,
  id: string,
  inputs: readonly PreparedInput[],
  { entry, plan }: Pick<RouteParts, 'entry' | 'plan'>,
): Graph {
  const { parameters } = request;
  const isReal = 'real_person_mode' in parameters && parameters.real_person_mode;
  const options = [entry.options, isReal ? entry.realPersonOptions : {}];
  const all = valuesOf(request, inputs, { plan });
  return joinGraphs(all.map((own) => fillGraph(graph, [own, ...options], `framegate/${id}`)));
}

/** The values of each result of an order: one, or one for each image, with its own seed. */
function valuesOf(
  request: ProviderRequest,
  inputs: readonly PreparedInput[],
  { plan }: Pick<RouteParts, 'plan'>,
): GraphValues[] {
  const { prompt, type } = request;
  const fileOf = (role: PreparedInput['role']) => inputs.find((each) => each.role === role)?.file;
  if (type === 'video') {
    const references = inputs.filter(({ role }) => role === 'reference').map(({ file }) => file);
    const files = {
      firstFrame: fileOf('first_frame'),
      lastFrame: fileOf('last_frame'),
      references,
    };
    const parameters = request.parameters as VideoParameters;
    return [writeVideoCall({ plan, prompt, parameters, ...files }).own];
  }
  const parameters = request.parameters as ImageParameters;
  const references = inputs.map(({ file }) => file);
  return Array.from({ length: parameters.n }, (_, i) => {
    // Equal seeds would give equal images.
    const seed = ((parameters.seed + i - 1) % seedRange.max) + 1;
    return writeImageCall({ plan, prompt, parameters: { ...parameters, seed }, references }).own;
  });
}

/** As many files of the ordered type as were ordered; all of them if a workflow saves another type alone. */
export function orderedFiles(
  files: readonly ComfyFile[],
  { type, parameters }: ProviderRequest,
): readonly ComfyFile[] {
  const isVideo = ({ filename }: ComfyFile) => /\.(mp4|webm|mov|mkv)$/i.test(filename);
  const ordered = files.filter((file) => isVideo(file) === (type === 'video'));
  const count = 'n' in parameters ? parameters.n : 1;
  return (ordered.length > 0 ? ordered : files).slice(0, count);
}

/** The id of an order, as a UUID: the same for every try. */
export function promptId(generationId: string): string {
  const hex = createHash('sha256').update(generationId).digest('hex');
  const [a, b, c, d] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16), hex.slice(17, 20)];
  return `${a}-${b}-8${c}-a${d}-${hex.slice(20, 32)}`;
}

/** The name under which a picture is uploaded. */
export const pictureName = (id: string, i: number, mediaType: string) =>
  `${id}-${String(i)}.${mediaType.replace(/^.*\//, '')}`;
