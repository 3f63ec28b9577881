import type { Route } from '@framegate/provider-routes';
import { anyDelivery } from '../support/workWorld.ts';

/** The provider's reaction to a generation, by the first word of its prompt. */
export type Fate = 'takes' | 'refuses' | 'loses' | 'isBusy';

/** The provider: its accepted orders, and their outcomes. */
export interface ModelProvider {
  accepted: Map<string, number>;
  verdicts: Map<string, 'completed' | 'failed'>;
  route: Route;
}

/** A provider that obeys prompts, and ends its orders when the test tells it to. */
export function createModelProvider(): ModelProvider {
  const accepted = new Map<string, number>();
  const verdicts = new Map<string, 'completed' | 'failed'>();
  const wereBusy = new Set<string>();
  const route: Route = {
    provider: 'p',
    model: 'm',
    maxConcurrent: Infinity,
    safeToRepeat: false,
    weight: null,
    budget: null,
    findCost: async () => null,
    covers: () => true,
    delivery: anyDelivery,
    async submit({ generationId: id, prompt }) {
      const [fate] = prompt.split(' ') as [Fate];
      if (fate === 'refuses') {
        return { kind: 'refused', code: 'output_rejected', isBusy: false, note: 'no' };
      }
      if (fate === 'isBusy' && !wereBusy.has(id)) {
        wereBusy.add(id);
        return { kind: 'refused', code: null, isBusy: true, note: 'later' };
      }
      accepted.set(id, (accepted.get(id) ?? 0) + 1);
      if (fate === 'loses') return { kind: 'unknown', note: 'reset' };
      return { kind: 'accepted', operation: id };
    },
    async poll(operation) {
      const verdict = verdicts.get(String(operation));
      if (verdict === 'completed') {
        const output = { read: async () => new Uint8Array() };
        return { kind: 'completed', outputs: [output] };
      }
      if (verdict === 'failed') return { kind: 'failed', code: 'generation_failed', note: 'x' };
      return { kind: 'pending' };
    },
  };
  return { accepted, verdicts, route };
}
