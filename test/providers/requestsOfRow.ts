import type { ImageParameters, VideoParameters } from '@framegate/contract';
import type { ProviderInput, ProviderRequest } from '../../gateway/providers/src/route.ts';
import type { Row } from '../../gateway/providers/src/rows.ts';
import {
  imageRequest,
  input,
  never,
  openRoute,
  videoRequest,
} from '../../gateway/providers/test/routeFixtures.ts';

/** A request that a route would send, with its order. */
export interface Sent {
  order: Pick<ProviderRequest, 'mode' | 'parameters'> & { inputs: string[] };
  url: string;
  body: unknown;
  dropped: readonly string[];
}

/**
 * The requests of a route to a model: in every mode, with the fewest and the most inputs, and with each value that its
 * row states for a parameter.
 */
export async function requestsOfRow(provider: object, model: string, row: Row): Promise<Sent[]> {
  const { route } = await openRoute(provider, model, { type: row.type });
  const sent: Sent[] = [];
  for (const order of ordersOf(row).filter((each) => route.covers(each))) {
    const shown = await route.show?.(order, never);
    if (!shown) throw new Error(`${model} shows no request`);
    const inputs = order.inputs.map(({ role, type }) => `${role} ${type}`);
    sent.push({
      order: { mode: order.mode, parameters: order.parameters, inputs },
      url: shown.url,
      body: fieldsOf(JSON.parse(shown.body)),
      dropped: shown.dropped,
    });
  }
  return sent;
}

/** The body as an object; a form is a list of its fields, of which some appear several times. */
function fieldsOf(body: unknown): unknown {
  if (!Array.isArray(body)) return body;
  const fields = Map.groupBy(body as [string, unknown][], ([name]) => name);
  return Object.fromEntries(
    [...fields].map(([name, all]) => [
      name,
      all.length > 1 ? all.map(([, value]) => value) : all[0]?.[1],
    ]),
  );
}

function ordersOf(row: Row): ProviderRequest[] {
  const { resolutions, aspectRatios, negativePrompt, guidance } = row.does;
  const sizes = {
    resolution: resolutions ?? [],
    aspect_ratio: aspectRatios ?? [],
    negative_prompt: negativePrompt === undefined ? [] : [undefined, textOf(negativePrompt)],
    guidance: guidance ? [undefined, ...endsOf(guidance)] : [],
  };
  if (row.type === 'image') {
    const { image = 0 } = row.does.references ?? {};
    const parameters = turns<ImageParameters>({ ...sizes, output_format: ['png', 'jpeg', 'webp'] });
    return [[], pictures(1), pictures(image)].flatMap((inputs) =>
      parameters.map((each) => imageRequest(each, { inputs })),
    );
  }
  const parameters = turns<VideoParameters>({
    ...sizes,
    duration_seconds: row.does.seconds ? endsOf(row.does.seconds) : [],
    generate_audio: [false, true],
  });
  return (row.does.modes ?? []).flatMap((mode) =>
    inputsOf(mode, row).flatMap((inputs) =>
      parameters.map((each) => videoRequest(each, { mode, inputs })),
    ),
  );
}

/** The bounds of a range, or every number of a list. */
function endsOf(numbers: NonNullable<Row['does']['seconds']>): number[] {
  return 'min' in numbers ? [numbers.min, numbers.max] : [...numbers];
}

/** The longest text that a row takes. */
function textOf(limit: boolean | number): string {
  return 'rain '.repeat(500).slice(0, Number(limit) > 1 ? Number(limit) : undefined);
}

const several = (count: number, type: ProviderInput['type']) =>
  Array.from({ length: count }, () => input('reference', type));
const pictures = (count: number) => several(count, 'image');

function inputsOf(mode: string, { does }: Row): ProviderInput[][] {
  const { image = 0, video = 0, audio = 0 } = does.references ?? {};
  if (mode === 'text-to-video') return [[]];
  if (mode === 'image-to-video') {
    const first = [input('first_frame')];
    return does.lastFrame === true ? [first, [...first, input('last_frame')]] : [first];
  }
  return [
    pictures(1),
    [...pictures(image), ...several(video, 'video'), ...several(audio, 'audio')],
  ];
}

/** Sets of parameters in which every value appears, and every pair of neighbours in the lists. */
function turns<T>(values: Record<string, readonly unknown[]>): Partial<T>[] {
  const longest = Math.max(...Object.values(values).map((list) => list.length));
  const ofTurn = (turn: number, shift: (index: number) => number) =>
    Object.fromEntries(
      Object.entries(values).map(([name, list], index) => [
        name,
        list[(turn + shift(index)) % list.length],
      ]),
    ) as Partial<T>;
  return Array.from({ length: longest }, (_, turn) => turn).flatMap((turn) => [
    ofTurn(turn, () => 0),
    ofTurn(turn, (index) => index),
  ]);
}
