import type { CreatePerform, ZObject } from 'zapier-platform-core';
import { creditsLeft } from '../balance.ts';
import { type CreateResult, createGeneration } from '../createGeneration.ts';
import { type DryRun, dryRun } from '../dryRun.ts';
import type { InputData } from '../inputValues.ts';
import type { Order } from '../order.ts';
import { beginReading, beginStep, isLoadingSample } from '../step.ts';

/** The differences between the two create requests. */
interface CreateKind {
  order: (data: InputData, raw: InputData) => Order;
  output: (z: ZObject, created: CreateResult, credits: number | null) => object;
  /** The editor's sample instead. */
  sampleOutput: (z: ZObject, tested: DryRun) => object;
}

/** Runs a step that creates; in the editor it only checks whether that would succeed. */
export const performCreate =
  ({ order, output, sampleOutput }: CreateKind): CreatePerform =>
  async (z, bundle) => {
    const ordered = order(bundle.inputData, bundle.inputDataRaw);
    if (isLoadingSample(bundle)) {
      return sampleOutput(z, await dryRun(beginReading(z, bundle), ordered));
    }
    const step = beginStep(z, bundle);
    const created = await createGeneration(step, ordered);
    return output(z, created, await creditsLeft(step));
  };
