import {
  type ByKind,
  byKind,
  type Capabilities,
  capabilitiesOf,
  choicesOf,
  hasFlag,
  inFormOrder,
  type Model,
  parameterTables,
  type Problem,
  rangeOf,
} from '@framegate/contract';
import type { RoutedRequest } from '@framegate/provider-routes';

/**
 * Explains why a request is impossible although the model offers each of its parts: for each part, or else for a pair
 * of parameters, the values that would work with the rest unchanged.
 * @returns At least one problem.
 */
export function combinationProblems(
  model: Model,
  request: RoutedRequest,
  isCovered: (request: RoutedRequest) => boolean,
): Problem[] {
  const problems = [
    ...parameterProblems(model, request, isCovered),
    ...inputProblems(model, request, isCovered),
  ];
  if (problems.length > 0) return problems;
  const pair = pairProblems(model, request, isCovered);
  if (pair.length > 0) return pair;
  const parts = Object.keys(request.parameters).filter((name) => name !== 'seed');
  const all = [...(request.mode === null ? [] : ['mode']), 'inputs', ...parts].join(', ');
  return [
    {
      param: 'parameters',
      code: 'not_supported',
      message: `${model.id} does not offer this combination of ${all}.`,
    },
  ];
}

/** Kinds of parameters in the order of messages. */
const kinds = ['choice', 'integer', 'flag', 'fraction', 'text'] as const;

/** A value of a parameter; undefined where it is left out. */
type Value = string | number | boolean | undefined;

/** The values that a model offers for each parameter that a route may not support. */
function offersOf(model: Model): Record<string, readonly Value[]> {
  const rows = inFormOrder(parameterTables[model.type]).filter(
    ([, { support, apart }]) => support !== null && !apart,
  );
  const sortedRows = kinds.flatMap((kind) => rows.filter(([, row]) => row.kind === kind));
  return Object.fromEntries(
    sortedRows.map(([name, row]) => [name, byKind(valuesByKind, row, capabilitiesOf(model))]),
  );
}

/** The values to try of a parameter; one with too many is only tried as absent. */
const valuesByKind: ByKind<[offered: Capabilities], readonly Value[]> = {
  choice: choicesOf,
  integer: (row, offered) => {
    const { min, max } = rangeOf(row, offered) ?? { min: 1, max: 0 };
    return Array.from({ length: max - min + 1 }, (_, index) => min + index);
  },
  flag: (row, offered) => (hasFlag(row, offered) ? [true, false] : [false]),
  fraction: () => [undefined],
  text: () => [undefined],
};

const quoteValues = (name: string, values: readonly Value[]) =>
  values.includes(undefined) ? `no ${name}` : `${name} ${values.join(', ')}`;

function parameterProblems(
  model: Model,
  request: RoutedRequest,
  isCovered: (request: RoutedRequest) => boolean,
): Problem[] {
  return Object.entries(offersOf(model)).flatMap(([name, offers]): Problem[] => {
    const possible = offers.filter((value) =>
      isCovered({
        ...request,
        parameters: { ...request.parameters, [name]: value },
      }),
    );
    if (possible.length === 0) return [];
    const param = `parameters.${name}`;
    const what = possible.map((value) => value ?? `no ${name}`).join(', ');
    return [{ param, code: 'not_supported', message: describeOffer(model, what) }];
  });
}

/**
 * Problems of the first pair of parameters that must be changed together because changing either alone does not help.
 */
function pairProblems(
  model: Model,
  request: RoutedRequest,
  isCovered: (request: RoutedRequest) => boolean,
): Problem[] {
  const all = Object.entries(offersOf(model));
  for (const [index, [first, firstValues]] of all.entries()) {
    for (const [second, secondValues] of all.slice(index + 1)) {
      for (const one of firstValues) {
        const possible = secondValues.filter((other) => {
          const parameters = { ...request.parameters, [first]: one, [second]: other };
          return isCovered({ ...request, parameters });
        });
        if (possible.length === 0) continue;
        const what = `${quoteValues(first, [one])} with ${quoteValues(second, possible)}`;
        return [first, second].map((name) => ({
          param: `parameters.${name}`,
          code: 'not_supported',
          message: describeOffer(model, what),
        }));
      }
    }
  }
  return [];
}

function inputProblems(
  model: Model,
  request: RoutedRequest,
  isCovered: (request: RoutedRequest) => boolean,
): Problem[] {
  const without = (inputs: RoutedRequest['inputs']) => isCovered({ ...request, inputs });
  const problem = (what: string): Problem => ({
    param: 'inputs',
    code: 'not_supported',
    message: describeOffer(model, what),
  });
  const { inputs } = request;
  const frames = inputs.filter(({ role }) => role !== 'last_frame');
  if (frames.length < inputs.length && without(frames)) return [problem('no last frame')];
  return (['image', 'video', 'audio'] as const).flatMap((type): Problem[] => {
    const others = inputs.filter((each) => each.type !== type || each.role !== 'reference');
    const own = inputs.filter((each) => each.type === type && each.role === 'reference');
    for (let count = own.length - 1; count >= 0; count -= 1) {
      const smaller = [...others, ...own.slice(0, count)];
      if (smaller.length === 0 && request.type === 'video') return [];
      if (without(smaller)) return [problem(`at most ${count} ${type} references`)];
    }
    return [];
  });
}

const describeOffer = (model: Model, what: string) =>
  `Together with the rest of this request ${model.id} offers ${what}.`;
