import type { IExecuteFunctions } from 'n8n-workflow';

/** n8n's custom data of an execution, which is stored however the execution ends, except after a crash. */
interface CustomData {
  get(key: string): string | undefined;
  set(key: string, value: string): void;
}

/** n8n allows an execution ten keys; the others are left to the workflow. */
const keys = ['framegate_1', 'framegate_2', 'framegate_3', 'framegate_4'];

/** IDs per value: n8n rejects values above 255 characters. */
const idsPerKey = 8;

/**
 * Notes a generation's id where a stopped execution keeps it: n8n discards an unfinished node's output, so the id goes
 * into the execution's custom data, which holds the newest 32, and into n8n's log.
 */
export function noteCreated(context: IExecuteFunctions, id: string, itemIndex: number): void {
  context.logger.info(`Framegate created ${id}`, { generationId: id, itemIndex });
  try {
    const { customData } = context.getWorkflowDataProxy(itemIndex)['$execution'] as {
      customData: CustomData;
    };
    const notedIds = keys.flatMap((key) => customData.get(key)?.split(' ') ?? []);
    const ids = [...notedIds, id].slice(-keys.length * idsPerKey);
    for (const [place, key] of keys.entries()) {
      const part = ids.slice(place * idsPerKey, (place + 1) * idsPerKey);
      if (part.length > 0) customData.set(key, part.join(' '));
    }
  } catch {
    // Without custom data the log has the id; the paid generation is awaited either way.
  }
}
