import type { JobEnd } from './dialect.ts';
import { fieldsOf, listOf } from './unknownJson.ts';

/** Words for finished work, in any spelling; each provider has its own. */
const finishedWords = /^(succe(ss|ed|eded|ssful)|complete[d]?|done|finished|ready)$/i;

/** Where providers' responses about a job have its state. Envelopes may have one of the request itself as well. */
const statePaths = [
  'status',
  'state',
  'task_status',
  'output.task_status',
  'output.status',
  'data.status',
  'data.state',
  'data.task_status',
];

/** Where such responses have finished videos: URLs, or lists of them, or of objects with one in `url`. */
const videoPaths = [
  'content.video_url',
  'video.url',
  'video_url',
  'output',
  'output.video_url',
  'output.video.url',
  'output.url',
  'data.video_url',
  'data.video.url',
  'data.output',
  'result.sample',
  'result.video.url',
  'result.url',
  'videos',
  'data.videos',
  'url',
];

/**
 * Whether the state in a response about a job is a word for finished. A request's own success says nothing while
 * another state in the same response is a different word.
 */
export function reportsFinished(response: unknown): boolean {
  const words = statePaths
    .map((path) => memberOf(response, path))
    .filter((word) => typeof word === 'string');
  return words.length > 0 && words.every((word) => finishedWords.test(word));
}

/**
 * The end of a job by a response that a package did not understand: finished by the meaning of its words, with the
 * videos whose URLs are in one of the usual places, which may be none. Null if it does not say finished.
 */
export function finishedEnd(response: unknown): JobEnd | null {
  if (!reportsFinished(response)) return null;
  const urls = videoPaths
    .map((path) => urlsIn(memberOf(response, path)))
    .find((addresses) => addresses.length > 0);
  return {
    status: 'completed',
    videos: (urls ?? []).map((url) => ({ type: 'url', url, mediaType: 'video/mp4' })),
    warnings: [],
  };
}

/**
 * The pictures in the response to an image order that a package did not understand: as base64, or as URLs, in the
 * form of OpenAI's API or in a list of `images`.
 */
export function imagesIn(response: unknown): string[] {
  const { data, images, output } = fieldsOf(response);
  const list = [data, images, output].map(listOf).find((each) => each.length > 0) ?? [];
  return list
    .map((each) => {
      const { b64_json: inline, url } = fieldsOf(each);
      return [each, inline, url].find((value) => typeof value === 'string' && value !== '');
    })
    .filter((each) => typeof each === 'string');
}

const memberOf = (value: unknown, path: string): unknown =>
  path.split('.').reduce((at, name) => fieldsOf(at)[name], value);

function urlsIn(value: unknown): string[] {
  if (typeof value === 'string') return /^(https?:\/\/|data:video\/)/i.test(value) ? [value] : [];
  return listOf(value).flatMap((each) => urlsIn(fieldsOf(each)['url'] ?? each));
}
