import type { ErrorDetail } from '@framegate/contract';
import { Refusal } from '../domain/refusal.ts';
import type { JudgedRequest } from './judgeCreate.ts';
import type { Database } from './ports/database.ts';

/**
 * Outputs given as inputs must be the account's own, and still be there.
 * @throws Refusal `input_url_invalid` that names every one that is not.
 */
export async function requireOwnOutputs(
  { database }: { database: Database },
  accountId: string,
  request: JudgedRequest,
): Promise<void> {
  const problems: ErrorDetail[] = [];
  for (const [index, { ownOutput }] of request.inputs.entries()) {
    if (!ownOutput) continue;
    const source = await database.generations.view(ownOutput.generationId);
    const there =
      source?.accountId === accountId &&
      source.outputsDeletedAt === null &&
      source.outputs[ownOutput.index] !== undefined;
    if (there) continue;
    problems.push({
      param: `inputs[${index}].url`,
      code: 'input_url_invalid',
      message: 'This output is not one of your own, or is no longer kept.',
    });
  }
  const [first] = problems;
  if (first) {
    throw new Refusal('input_url_invalid', {
      param: first.param,
      message: first.message,
      details: problems,
    });
  }
}
