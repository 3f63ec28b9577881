import { expect, test } from '@jest/globals';
import { buildOperatorOpenApi } from '@framegate/contract/operator';
import { FramegateOperator } from '../../../integrations/operator/src/index.ts';

/* Compares the client with the OpenAPI document: every operation exists under its name. */

interface Described {
  operationId: string;
  parameters: { name: string; in: string; required: boolean }[];
  requestBody?: object;
  responses: Record<string, { content: Record<string, { schema: { $ref?: string } }> }>;
}

const { paths, components } = buildOperatorOpenApi();
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Described>).map(([method, each]) => ({
    path,
    method: method.toUpperCase(),
    ...each,
  })),
);

interface Sent {
  method: string;
  url: URL;
  headers: Headers;
  body: unknown;
}

/** A client whose requests get useless responses. */
function recorded() {
  const sent: Sent[] = [];
  const operator = new FramegateOperator({
    baseUrl: 'http://127.0.0.1:8081/operator/v1',
    operatorKey: `fg_operator_${'a'.repeat(38)}`,
    async fetch(url, init) {
      const { method = '', headers, body } = init ?? {};
      sent.push({
        method,
        url: new URL(url instanceof Request ? url.url : url),
        headers: new Headers(headers),
        body,
      });
      return new Response('{}', { status: 404 });
    },
  });
  const methods = operator as unknown as Record<string, (...given: unknown[]) => Promise<unknown>>;
  return { sent, methods };
}

const prototype = Object.getPrototypeOf(FramegateOperator.prototype) as object;
const methodNames = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');

const responsesList = ({ responses }: Described) => {
  const response = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const name = response?.content['application/json']?.schema.$ref?.split('/').at(-1) ?? '';
  const schemas = components.schemas as Record<string, { properties?: { data?: object } }>;
  return schemas[name]?.properties?.data !== undefined;
};

test('each operation is a method, and each list has an iterator or a follower', () => {
  const lists = operations.filter(responsesList).map(({ operationId }) => operationId);
  expect(lists.length).toBeGreaterThan(5);
  const walkers = lists.map((id) =>
    id.replace('list', ['listLedger', 'listEvents'].includes(id) ? 'follow' : 'iterate'),
  );
  const ids = operations.map(({ operationId }) => operationId);
  expect(methodNames.toSorted()).toEqual([...ids, ...walkers].toSorted());
});

test.each(operations.map((each) => [each.operationId, each] as const))(
  '%s sends the documented request',
  async (operationId, { path, method, parameters, requestBody }) => {
    const { sent, methods } = recorded();
    const ids = parameters.filter((each) => each.in === 'path').map(({ name }) => name);
    const query = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
    const needsKey = parameters.some(({ name }) => name === 'Idempotency-Key');
    const values = ids.map((name) => `the/${name}?`);
    const body = { some: 'body' };
    const asked = Object.fromEntries(query.map((name) => [name, '1']));
    const given = [...(requestBody ? [body] : []), ...(query.length > 0 ? [asked] : [])];
    const call = methods[operationId]?.(...values, ...given, { idempotencyKey: 'mine' });
    await expect(call).rejects.toMatchObject({ code: 'unexpected_response', status: 404 });
    expect(sent).toHaveLength(1);
    const [request] = sent;
    const filled = ids.reduce(
      (text, name) => text.replace(`{${name}}`, encodeURIComponent(`the/${name}?`)),
      path,
    );
    expect(request?.method).toBe(method);
    expect(request?.url.pathname).toBe(`/operator/v1${filled}`);
    expect(Object.fromEntries(request?.url.searchParams ?? [])).toEqual(asked);
    expect(request?.body).toEqual(requestBody ? JSON.stringify(body) : undefined);
    expect(request?.headers.get('idempotency-key')).toBe(needsKey ? 'mine' : null);
  },
);

test.each(['', '.', '..', 'a b', 'é', 'x'.repeat(129)])(
  'an id that leads elsewhere, such as %p, is refused before anything is sent',
  async (id) => {
    const { sent, methods } = recorded();
    await expect(methods['getCredits']?.(id)).rejects.toMatchObject({ code: 'invalid_id' });
    expect(sent).toEqual([]);
  },
);
