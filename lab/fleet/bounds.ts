import { minuteMs, quantile } from '@framegate/contract';
import type { ClientAttempt, History } from '../../test/faults/patientClient.ts';
import { head, row, seconds } from '../figures.ts';
import { type FleetWorld, videoTakesMs } from './fleetWorld.ts';
import type { Member } from './roles.ts';
import type { Trouble } from './storm.ts';
import type { Watch } from './watch.ts';

/** One measured row: durations in ms, and the bound of their p99. */
interface Row {
  what: string;
  tookMs: readonly number[];
  boundMs?: number;
}

interface StormMeasures {
  world: FleetWorld;
  histories: readonly History[];
  attempts: readonly ClientAttempt[];
  hotAccountId: string;
  members: readonly Member[];
  troubles: readonly Trouble[];
  watch: Watch;
  /** When the quiet control phase ended and the storm began, in ms since the epoch. */
  stormAt: number;
}

/** Bounds of the p99: absolute in ms, and as a multiple of the quiet phase's. */
const createMs = 1_000;
const endSeenMs = 10_000;
const timesQuiet = 3;
/** Maximum ratio between the p99 under the other faults and that of a silent provider's neighbour. */
const timesOthers = 1.25;
const movesAgainMs = minuteMs;

/** How far the wall clock is ahead of `performance.now()`, in ms. */
const wallMs = Date.now() - performance.now();

/** The measured bounds of isolation and recovery, as a Markdown table. */
export function boundsTable(measures: StormMeasures): string {
  const { attempts, troubles, hotAccountId, watch, stormAt } = measures;
  const answered = attempts
    .filter(({ status }) => status === 202)
    .map((each) => ({ ...each, at: each.sentAt + wallMs }))
    .filter(({ origin, at, tookMs }) => !isTroubled(measures.members, origin, at, at + tookMs));
  const creates = (isHot: boolean, during: (at: number) => boolean, from = answered) =>
    from
      .filter(({ account, at }) => (account.accountId === hotAccountId) === isHot && during(at))
      .map(({ tookMs }) => tookMs);
  // Without a primary nothing can be written: the duration of an election is up to MongoDB.
  const withPrimary = answered.filter(
    ({ at, tookMs }) =>
      !troubles.some(
        ({ kind, from, to }) => kind === 'primary steps down' && at < to && at + tookMs > from,
      ),
  );
  const during = (kinds: readonly string[], moreMs: number) => (at: number) =>
    troubles.some(({ kind, from, to }) => kinds.includes(kind) && at >= from && at < to + moreMs);
  const afterKill = (at: number) =>
    troubles.some(
      ({ kind, from }) => kind.endsWith('killed') && at >= from && at < from + minuteMs,
    );
  const quiet = (at: number) => at < stormAt;
  const storm = (at: number) => at >= stormAt;
  const ends = endsOf(measures);
  const latenessOf = (provider: string, when: (at: number) => boolean) =>
    ends.filter((end) => end.provider === provider && when(end.at)).map(({ lateMs }) => lateMs);
  const silent = during(['provider silent'], 0);
  const others = latenessOf('steady', (at) => storm(at) && !silent(at));
  const upperBound = (minMs: number, control: readonly number[]) =>
    Math.max(minMs, timesQuiet * quantile(control, 0.99));

  const ordinary = creates(false, quiet);
  const hot = creates(true, quiet);
  const steady = latenessOf('steady', quiet);
  const rows: Row[] = [
    { what: 'create, ordinary accounts, quiet', tookMs: ordinary },
    {
      what: 'create, ordinary accounts, in the minute after a kill -9, with a primary',
      tookMs: creates(false, afterKill, withPrimary),
      boundMs: upperBound(createMs, ordinary),
    },
    { what: 'create, ordinary accounts, whole storm', tookMs: creates(false, storm) },
    { what: 'create, hot account, quiet', tookMs: hot },
    {
      what: 'create, hot account, in the storm, with a primary',
      tookMs: creates(true, storm, withPrimary),
      boundMs: upperBound(createMs, hot),
    },
    { what: 'end seen, steady provider, quiet', tookMs: steady },
    {
      what: 'end seen, steady provider, while the other was silent',
      tookMs: latenessOf('steady', silent),
      // Work leased by a killed or stopped worker stalls for the duration of its lease, in both rows.
      boundMs: Math.max(endSeenMs, timesOthers * quantile(others, 0.99)),
    },
    { what: 'end seen, steady provider, rest of the storm', tookMs: others },
    { what: 'end seen, silenced provider, quiet', tookMs: latenessOf('silenced', quiet) },
    { what: 'end seen, silenced provider, whole storm', tookMs: latenessOf('silenced', storm) },
    { what: 'end seen, images, quiet', tookMs: latenessOf('images', quiet) },
    { what: 'end seen, images, whole storm', tookMs: latenessOf('images', storm) },
    {
      what: 'calls of a killed process stood still',
      tookMs: watch.stoodStillMs(),
      boundMs: movesAgainMs,
    },
  ];
  return [
    head(['what', 'count', 'p50', 'p99', 'longest', 'bound of the p99', 'kept']),
    ...rows.map(line),
  ].join('\n');
}

function line({ what, tookMs, boundMs }: Row): string {
  const p99 = quantile(tookMs, 0.99);
  const times = [quantile(tookMs, 0.5), p99, quantile(tookMs, 1)].map((ms) => seconds(ms, 2));
  const judged =
    boundMs === undefined ? ['', ''] : [seconds(boundMs, 2), p99 <= boundMs ? 'yes' : 'NO'];
  return row([what, tookMs.length, ...(tookMs.length > 0 ? times : ['', '', '']), ...judged]);
}

/** Whether a process was killed, stopped or terminated during a request. */
function isTroubled(members: readonly Member[], origin: string, from: number, to: number): boolean {
  return members.some(
    (member) =>
      member.origin === origin &&
      member.troubles.some((trouble) => trouble.from <= to && from <= trouble.to),
  );
}

/** When the provider finished each, and how much later a client could see it. */
function endsOf({ world, histories, watch }: StormMeasures) {
  const ids = new Map(histories.map(({ prompt, generationId }) => [prompt, generationId]));
  const videos = (['ark', 'silenced'] as const).flatMap((name) =>
    world[name]
      .submitted()
      .filter(({ taskId }) => taskId !== null)
      .map(({ prompt, at }) => ({
        prompt,
        at: at + videoTakesMs,
        provider: name === 'ark' ? 'steady' : 'silenced',
      })),
  );
  const images = world.images
    .calls()
    .flatMap(({ prompt, answeredAt }) =>
      answeredAt === null ? [] : [{ prompt, at: answeredAt, provider: 'images' }],
    );
  return [...videos, ...images].map((end) => {
    const seenAt = watch.endedAt.get(ids.get(end.prompt) ?? '') ?? Infinity;
    return { ...end, lateMs: seenAt - end.at };
  });
}
