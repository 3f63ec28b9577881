import { type Dialect, isPlainId } from './dialect.ts';
import { type PackageFacts, parseRows, type TaskOperation } from './rows.ts';
import { fillForms } from './sendRules.ts';

/**
 * A provider's dialect.
 * @param json The description of the provider.
 * @param coded The parts that require code.
 * @throws Error with every problem of the description.
 */
export function parseDialect(
  json: unknown,
  coded: Partial<Dialect> = {},
): Dialect & { package?: PackageFacts } {
  const file = parseRows(json);
  const { rows, send, probe, errors, operations, ...facts } = file;
  return {
    ...facts,
    models: { rows, send, ...(probe && { probe }) },
    defaultRules: errors
      .flatMap(({ rules }) => rules)
      .map(({ match, code }) => ({ match: new RegExp(match, 'i'), code })),
    ...(operations && { operationOf: (id, model) => operationIn(operations, id, model) }),
    ...coded,
  };
}

function operationIn(operations: readonly TaskOperation[], taskId: string, model: string) {
  const operation = operations.find(({ id }) =>
    id === undefined ? isPlainId(taskId) : new RegExp(id).test(taskId),
  );
  return operation ? fillForms(operation.operation, { id: taskId, model }) : null;
}
