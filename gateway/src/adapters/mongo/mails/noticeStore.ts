import { minuteMs } from '@framegate/contract';
import {
  type NoticeChoices,
  type NoticeStore,
  usualNotices,
} from '../../../application/ports/notices.ts';
import { firstGenerationId } from '../../../domain/ids.ts';
import type { Language } from '../../../domain/text/language.ts';
import { listAccountsToErase } from '../accounts/accountLookups.ts';
import { type Collections, listBufferedPages, listPages, type Models } from '../collections.ts';
import { generationCodec } from '../models/generations.ts';
import { noticeCodec } from '../models/notices.ts';

/** Minimum age of generations behind the cursor, in ms: younger ones may not be in the database yet. */
const settledMs = 10 * minuteMs;

/** Server-side time limit for the files of a day, in ms. */
const filesMs = minuteMs;

/** Generations per page, and pages per round. */
const pageSize = 500;
const maxPages = 10;

const endProjection = {
  type: 1,
  model: 1,
  prompt: 1,
  status: 1,
  failure: 1,
  endedAt: 1,
  isEndNotified: 1,
  deletedAt: 1,
} as const;

/** Emails about ends are off by default, so only owners who changed that want them. */
const endsId = 'ends';
const wantsEnds = ({ changedKinds }: NoticeChoices) => changedKinds.includes(endsId);

const sentNotices = { endsAt: 0, isLow: false, expiryAt: 0, filesUntil: 0 };
const usual = { ...usualNotices, ...sentNotices, endsFrom: '' };

/** Email preferences, in separate documents, so that they change no account. */
export function createNoticeStore(
  { notices }: Pick<Models, 'notices'>,
  collections: Pick<Collections, 'notices' | 'accounts' | 'accountLookups' | 'generations'>,
): NoticeStore {
  const { accounts, generations } = collections;
  const find = async (accountId: string) => {
    const document = await notices.findOne({ _id: accountId }).lean();
    return document ? noticeCodec.fromStored(document) : { id: accountId, ...usual };
  };
  const put = async (accountId: string, change: Partial<typeof usual & { language: Language }>) => {
    const fields = noticeCodec.toFields(change);
    const { _id, ...others } = noticeCodec.toStored({ id: accountId, ...usual });
    const rest = Object.entries(others).filter(([name]) => !(name in fields));
    const $setOnInsert = Object.fromEntries(rest) as Partial<typeof others>;
    await notices.updateOne({ _id }, { $set: fields, $setOnInsert }, { upsert: true });
  };
  /** Reads the history index backwards. The first item may have been read before. */
  const findFrom = (accountId: string, from: string) =>
    generations
      .find(
        { accountId, _id: { $gte: from } },
        {
          sort: { accountId: -1, _id: 1 },
          hint: 'history',
          limit: pageSize,
          projection: endProjection,
        },
      )
      .toArray();
  type EndedGeneration = Awaited<ReturnType<typeof findFrom>>[number];
  const isOver = ({ endedAt, isEndNotified, deletedAt, failure }: EndedGeneration) =>
    endedAt !== null &&
    (isEndNotified === true || deletedAt !== undefined || failure?.wasCancelled === true);
  return {
    find,
    record: put,
    setLanguage: (accountId, language) => put(accountId, { language }),
    async choose(accountId, choices, nowMs) {
      const before = await find(accountId);
      const begins = wantsEnds(choices) && !wantsEnds(before);
      await put(accountId, { ...choices, ...(begins && { endsFrom: firstGenerationId(nowMs) }) });
    },
    listWantingEnds: () =>
      listPages(
        collections.notices.find(
          { changedKinds: endsId },
          { hint: 'changedKinds', projection: { _id: 1 } },
        ),
      ),
    listWantingLow: () =>
      listPages(
        collections.notices.find(
          { creditsBelow: { $gt: 0 } },
          { hint: 'low', projection: { _id: 1 } },
        ),
      ),
    listExpiring: (from, until) =>
      listPages(
        accounts.find(
          {
            nextExpiryAt: { $gt: new Date(from), $lte: new Date(until) },
            status: 'active',
            isVerified: true,
          },
          { hint: 'nextExpiry', projection: { _id: 1 } },
        ),
      ),
    listToRemind: (nowMs) => listAccountsToErase(collections, nowMs),
    async *listFilesToDelete({ from, until, keptMs }) {
      const between = (shiftMs: number) => ({
        $gte: new Date(from - shiftMs),
        $lt: new Date(until - shiftMs),
      });
      const filter = {
        status: 'completed',
        endedAt: between(keptMs),
        outputsRemoveAt: between(0),
        outputsRemovedAt: null,
        deletedAt: { $exists: false },
        $or: [{ channel: 'pc' }, { isFavourite: true }],
      };
      const outputCount = { $sum: { $size: '$outputs' } };
      const cursor = generations.aggregate<{ _id: string; count: number }>(
        [{ $match: filter }, { $group: { _id: '$accountId', count: outputCount } }],
        { hint: 'ended', maxTimeMS: filesMs },
      );
      yield* listBufferedPages(cursor, ({ _id, count }) => ({ accountId: _id, count }));
    },
    async findNewEnds(accountId, limit, nowMs) {
      const { endsFrom } = await find(accountId);
      const settled = firstGenerationId(nowMs - settledMs);
      const ends: EndedGeneration[] = [];
      let from = endsFrom;
      let firstToNotify: string | null = null;
      for (let pages = 0; pages < maxPages && ends.length < limit; pages += 1) {
        const page = await findFrom(accountId, from);
        firstToNotify ??= page.find((each) => !isOver(each))?._id ?? null;
        ends.push(...page.filter((each) => each.endedAt !== null && !isOver(each)));
        from = page.at(-1)?._id ?? from;
        if (page.length < pageSize) break;
      }
      // Ends before the first one still to be mailed are not examined again.
      const next = [firstToNotify ?? from, settled].toSorted()[0] ?? endsFrom;
      if (next > endsFrom) await put(accountId, { endsFrom: next });
      return ends.slice(0, limit).map(generationCodec.fromPart);
    },
    async recordEnds(ids) {
      await generations.updateMany({ _id: { $in: [...ids] } }, { $set: { isEndNotified: true } });
    },
  };
}
