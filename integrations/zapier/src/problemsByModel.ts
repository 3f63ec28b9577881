import { orderProblems } from './checkOrder.ts';
import type { FieldProblem } from './labels.ts';
import { requireModel } from './listModels.ts';
import type { Order } from './order.ts';
import { hasRoom, type Step } from './step.ts';

/**
 * Problems of a refused order within the model's own bounds: the API first names those of all models. Empty if the
 * model cannot be read now.
 */
export async function problemsByModel(step: Step, order: Order): Promise<FieldProblem[]> {
  if (!hasRoom(step, 0)) return [];
  try {
    return orderProblems(await requireModel({ ...step, mayRunAgain: false }, order), order);
  } catch {
    return [];
  }
}
