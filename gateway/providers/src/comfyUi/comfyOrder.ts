import { createHash } from 'node:crypto';
import { seedRange } from '@framegate/contract';
import type { PreparedInput } from '../inputFiles.ts';
import type { ProviderRequest } from '../route.ts';
import { optionsFor, type RouteParts } from '../routeParts.ts';
import { writeCall } from '../writeCall.ts';
import type { ComfyFile } from './comfyServer.ts';
import { fillGraph, type Graph, joinGraphs } from './graph.ts';

/** A workflow with the values of an order. @param inputs Uploaded pictures. */
export function writeOrder(
  graph: Graph,
  request: ProviderRequest,
  id: string,
  inputs: readonly PreparedInput[],
  { entry, plan }: Pick<RouteParts, 'entry' | 'plan'>,
): Graph {
  const { parameters, type } = request;
  const options = optionsFor(request, entry);
  // Equal seeds would give equal images.
  const seedOf = (index: number) => ((parameters.seed + index - 1) % seedRange.max) + 1;
  const orders = Array.from({ length: 'n' in parameters ? parameters.n : 1 }, (_, index) => ({
    ...request,
    parameters: type === 'image' ? { ...parameters, seed: seedOf(index) } : parameters,
  }));
  const written = orders.map((each) => writeCall(each, inputs, plan).own);
  return joinGraphs(written.map((own) => fillGraph(graph, [own, ...options], `framegate/${id}`)));
}

/** As many files of the ordered type as were ordered; all of them if a workflow saves only another type. */
export function filesOfOrder(
  files: readonly ComfyFile[],
  { type, parameters }: ProviderRequest,
): readonly ComfyFile[] {
  const isVideo = ({ filename }: ComfyFile) => /\.(mp4|webm|mov|mkv)$/i.test(filename);
  const ordered = files.filter((file) => isVideo(file) === (type === 'video'));
  const count = 'n' in parameters ? parameters.n : 1;
  return (ordered.length > 0 ? ordered : files).slice(0, count);
}

/** The id of an order as a UUID, the same for every attempt. */
export function promptId(generationId: string): string {
  const hex = createHash('sha256').update(generationId).digest('hex');
  const [a, b, c, d] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(13, 16), hex.slice(17, 20)];
  return `${a}-${b}-8${c}-a${d}-${hex.slice(20, 32)}`;
}

/** The upload name of a picture. */
export const pictureName = (id: string, index: number, mediaType: string) =>
  `${id}-${index}.${mediaType.replace(/^.*\//, '')}`;
