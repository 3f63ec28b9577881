import { minuteMs } from '@framegate/contract';
import type { MediaTask } from './mediaTask.ts';

/** Limits of one child process. */
export interface ChildLimits {
  /** Processor time in seconds, including about a third of a second to start. */
  processorSeconds: number;
  /** Wall time in ms, far more than a valid file needs on a busy machine. */
  wallMs: number;
  /** Wall time in ms for posters drawn after the result is finished; `wallMs` if absent. */
  postersMs?: number;
  /**
   * Limit of its resident memory in MB, including about 75 MB of Node's own. A child that needs more ends
   * without a response.
   */
  memoryMb: number;
  /** Reduction of its priority. */
  niceness: number;
}

/**
 * Limits for a customer's file: about three seconds, far more than a valid video or sound needs. It must not delay
 * other work of the machine.
 */
export const inputLimits: ChildLimits = {
  processorSeconds: 4,
  wallMs: minuteMs,
  memoryMb: 700,
  niceness: 5,
};

/** Limits for a picture that may be re-encoded, which takes up to three times as long as other inputs. */
const pictureLimits: ChildLimits = { ...inputLimits, processorSeconds: 12 };

/** The limits for an input by its type. */
export const inputLimitsOf = (task: MediaTask): ChildLimits =>
  task.task === 'inspect' && task.type === 'image' ? pictureLimits : inputLimits;

/** Limits for a file submitted to the studio, which also gets a preview. */
export const uploadChildLimits: ChildLimits = {
  processorSeconds: 12,
  wallMs: minuteMs,
  memoryMb: 600,
  niceness: 5,
};

/** Maximum delay of a generation's end by posters, in ms. */
const postersMs = 5_000;

/** Limits for a provider's file, which is paid for and may have a gigabyte. */
export const outputLimits: ChildLimits = {
  processorSeconds: 60,
  wallMs: 2 * minuteMs,
  postersMs,
  memoryMb: 1_500,
  niceness: 0,
};

/** Limits for posters of videos, and of results whose posters were missed. */
export const posterLimits: ChildLimits = {
  processorSeconds: 6,
  wallMs: postersMs,
  memoryMb: 600,
  niceness: 5,
};

/**
 * Limits for a frame of a finished video: the last frame requires decoding from the key frame before it, about
 * five seconds for 15 s in 1080p, and eight times as long for 30 s in 2160p.
 */
export const frameLimits: ChildLimits = {
  processorSeconds: 50,
  wallMs: 2 * minuteMs,
  memoryMb: 600,
  niceness: 5,
};
