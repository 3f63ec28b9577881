import { hourMs, minuteMs } from '@framegate/contract';
import { parseStoredGeneration } from '../../gateway/src/adapters/mongo/generations/generationWrites.ts';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { getBalance } from '../../gateway/src/application/generations/reads.ts';
import type { Generation } from '../../gateway/src/domain/generations/generation.ts';
import { createModelProvider, type ModelProvider } from './modelProvider.ts';
import { type ModelProcess, type ModelWorld, slots } from './modelWorld.ts';
import { createReferenceModel } from './referenceModel.ts';

/** Initial credits of an account: enough for its slots, not for every key. */
const firstCredits = 60;

/** One run of steps: the real use cases on one side, the reference on the other. */
export class ModelRun {
  readonly world: ModelWorld;
  readonly provider: ModelProvider = createModelProvider();
  readonly caller: { accountId: string; keyId: string };
  readonly model = createReferenceModel(slots.running + slots.waiting);
  /** Bodies of the keys that were accepted. */
  readonly bodies = new Map<string, string>();
  process: ModelProcess;
  steps = 0;
  /** Events met, with counts. */
  readonly met = new Map<string, number>();

  private constructor(world: ModelWorld, caller: { accountId: string; keyId: string }) {
    this.world = world;
    this.caller = caller;
    this.process = world.startProcess(this.provider);
  }

  static async start(world: ModelWorld): Promise<ModelRun> {
    await world.empty();
    const run = new ModelRun(world, await world.addAccount());
    await world.grant(run.caller.accountId, 'purchased', firstCredits, Infinity);
    run.model.grant('purchased', firstCredits, Infinity);
    return run;
  }

  count(what: string): void {
    this.met.set(what, (this.met.get(what) ?? 0) + 1);
  }

  restart(): void {
    this.process = this.world.startProcess(this.provider);
  }

  async pass(ms: number): Promise<void> {
    await this.world.pass(ms);
    this.model.pass(ms);
  }

  expectEqual(found: unknown, expected: unknown, what: string): void {
    if (found !== expected) {
      throw new Error(`${what} was ${String(found)}, not ${String(expected)}`);
    }
  }

  /** Generation accepted under a key. */
  async findByKey(key: string): Promise<{ id: string; text: string } | null> {
    const scope = `${this.caller.accountId} POST /v1/videos ${key}`;
    const stored = await this.world.mongo.collections.generations.findOne({
      'replay.scope': scope,
    });
    if (!stored) return null;
    return { id: stored._id, text: String(stored.replay?.body) };
  }

  /** Compares the stored documents with the reference, and ends its generations that had a reason to end. */
  async observe(words: string): Promise<void> {
    const { generations } = this.world.mongo.collections;
    const stored = await generations.find({}).toArray();
    this.expectEqual(stored.length, this.model.generations().length, `generations after ${words}`);
    const byId = new Map(stored.map((each) => [each._id, parseStoredGeneration(each)]));
    for (const known of this.model.generations()) {
      const current = byId.get(known.id);
      if (!current) throw new Error(`${known.id} is gone after ${words}`);
      const state = current.step === 'ended' ? current.status : 'open';
      if (known.state === state) continue;
      this.expectEqual(known.state, 'open', `a final state before ${words}`);
      this.count(
        current.failure?.wasCancelled ? 'cancelled' : (current.failure?.code ?? current.status),
      );
      requireReason(current, this.provider);
      this.model.end(known, state as 'completed' | 'failed');
    }
    for (const [id, count] of this.provider.accepted) {
      if (count > 1) throw new Error(`${id} was accepted ${count} times`);
    }
    const { database, clock } = this.world.mongo;
    const balance = await getBalance({ database, clock }, this.caller);
    this.expectEqual(balance.available, this.model.available(), `available credits after ${words}`);
    this.expectEqual(balance.in_flight, this.model.inFlight(), `credits in flight after ${words}`);
  }

  /** Whatever its state, everything ends in time, and the books are right. */
  async finish(): Promise<void> {
    for (let round = 0; this.model.open().length > 0; round += 1) {
      if (round > 30) throw new Error(`${this.model.open().length} generations do not end`);
      await this.pass(61 * minuteMs);
      await this.process.upkeep();
      await this.observe('the end');
    }
    const { problems } = await verifyLedger(this.world);
    if (problems.length > 0) throw new Error(JSON.stringify(problems));
  }
}

/** A generation ends only for a reason, and never early (I6, I7). */
function requireReason(generation: Generation, provider: ModelProvider): void {
  const { id, status, failure, createdAt, startedAt, endedAt, prompt, attempts } = generation;
  if (failure?.wasCancelled) {
    if (provider.accepted.has(id)) throw new Error(`${id} was cancelled although it was ordered`);
    return;
  }
  const age = (endedAt ?? 0) - createdAt;
  const ran = (endedAt ?? 0) - (startedAt ?? endedAt ?? 0);
  const verdict = provider.verdicts.get(id);
  const last = attempts.at(-1)?.outcome;
  const isRight = {
    none: status === 'completed' && verdict === 'completed',
    generation_failed: (verdict === 'failed' && last === 'failed') || last === 'unknown',
    output_rejected: prompt.startsWith('refuses'),
    capacity_exceeded: age >= 6 * hourMs && startedAt === null,
    generation_timeout: ran >= hourMs && verdict === undefined,
  };
  const reason = (failure?.code ?? 'none') as keyof typeof isRight;
  if (!isRight[reason]) {
    throw new Error(`${id} (${prompt}) has ended as ${reason}: ${JSON.stringify(generation)}`);
  }
}
