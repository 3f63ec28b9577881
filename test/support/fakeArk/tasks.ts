import type { Plan } from './script.ts';
import type { TaskRequest } from './taskRequest.ts';

/** A complete request for a task, and its outcome. */
export interface Submitted {
  /** Null if it was not accepted. */
  taskId: string | null;
  model: string;
  prompt: string;
  /** The fields besides model and content. */
  fields: Record<string, unknown>;
  /** Result for each input: its size, if the fake could read it as a provider would. */
  inputs: { kind: string; role: string | null; via: 'url' | 'data'; bytes: number | null }[];
  polls: number;
  downloads: number;
  /** Time of arrival, in ms since the epoch. */
  at: number;
  /** Whether the caller closed the connection before it had its response. */
  wasCut: boolean;
  /** Whether it was cancelled while queued. */
  isCancelled?: boolean;
}

/** A task that the fake accepted. */
export interface Task extends Submitted {
  taskId: string;
  plan: Plan;
}

/** Whether it has not begun. */
export const isQueued = ({ plan, polls }: Pick<Task, 'plan' | 'polls'>) =>
  plan.end === 'never begun' || polls <= 1;

/** A task in the form of ModelArk's responses. */
export function taskState({ taskId, model, plan, polls, at }: Task, origin: string): object {
  const common = { id: taskId, model, created_at: 1_700_000_000, updated_at: 1_700_000_001 };
  const isEarly = Date.now() < at + (plan.afterMs ?? 0);
  const isUnfinished = plan.end === 'never' || plan.end === 'never begun';
  if (isUnfinished || polls <= plan.polls || isEarly) {
    return { ...common, status: isQueued({ plan, polls }) ? 'queued' : 'running' };
  }
  if (plan.end === 'succeeded' || plan.end === 'succeeded without a video') {
    const content = plan.end === 'succeeded' ? { video_url: `${origin}/media/${taskId}.mp4` } : {};
    const usage = { completion_tokens: 108_900, total_tokens: 108_900 };
    return { ...common, status: 'succeeded', content, usage, framespersecond: 24 };
  }
  return { ...common, status: plan.end, ...(plan.error ? { error: plan.error } : {}) };
}

/** Reads an input as the provider would: from its URL, or from the data URI. */
export async function readInput({
  kind,
  role,
  url,
}: TaskRequest['inputs'][number]): Promise<Submitted['inputs'][number]> {
  const via = url.startsWith('data:') ? 'data' : 'url';
  try {
    const response = await fetch(url);
    const bytes = response.ok ? (await response.arrayBuffer()).byteLength : null;
    return { kind, role, via, bytes };
  } catch {
    return { kind, role, via, bytes: null };
  }
}
