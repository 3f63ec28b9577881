import type { SecretStore } from '../../../application/ports/secrets.ts';
import type { Clock } from '../../../application/ports/system.ts';
import {
  sealedTexts,
  sealedVersion,
  type SecretName,
  type Secrets,
  type SecretVersion,
} from '../../../domain/installation/secretVersions.ts';
import type { Collections } from '../collections.ts';

/** Server-side time limit of a query, in ms. */
const maxTimeMS = 30_000;
/** Maximum account ids named for each kind. */
const maxNamed = 20;
/** Maximum emails examined. */
const maxMails = 10_000;

/** Documents of one kind, by the version of the secret that protects them. */
interface SecretKind {
  name: SecretName;
  /** The kind's name in the command's output. */
  kind: string;
  versions: string[];
  /** @param limit Maximum documents counted. */
  count: (version: string, limit: number) => Promise<VersionCount>;
}

interface VersionCount {
  count: number;
  /** Some of its holders. */
  accountIds: string[];
}

const none: VersionCount = { count: 0, accountIds: [] };

/** Counts and finds documents by the version of their secret, through indexes; nothing is decrypted. */
export function createSecretStore(
  collections: Pick<
    Collections,
    'accounts' | 'operatorKeys' | 'customerFactors' | 'staffFactors' | 'mails' | 'secretVersions'
  >,
  clock: Pick<Clock, 'now'>,
): SecretStore {
  const { secretVersions } = collections;
  const idOf = ({ name, version }: SecretVersion) => `${name}:${version}`;
  return {
    async recordMaking(secrets) {
      await secretVersions.bulkWrite(
        versionsOf(secrets).map(({ name, version, isFirst }) => ({
          updateOne: {
            filter: { _id: idOf({ name, version }) },
            // A version without a record may have been in use until now, under a release that recorded nothing.
            update: [
              { $set: { madeUntil: isFirst ? '$$NOW' : { $ifNull: ['$madeUntil', '$$NOW'] } } },
            ],
            upsert: true,
          },
        })),
        { ordered: false },
      );
    },

    async look() {
      const kinds = await Promise.all([
        countApiKeys(collections, clock),
        countOperatorKeys(collections, clock),
        countSealedFactors('staff_second_factors', collections.staffFactors as never),
        countSealedFactors('customer_second_factors', collections.customerFactors),
        countSealedMails(collections),
      ]);
      const recordedVersions = (await secretVersions.find({}, { maxTimeMS }).toArray()).map(
        (document) => {
          const [name, version] = document._id.split(':');
          const madeUntil = document.madeUntil.getTime();
          return { name: name as SecretName, version: version ?? '', madeUntil };
        },
      );
      return {
        stored: kinds.flatMap(({ name, versions }) =>
          versions.map((version) => ({ name, version })),
        ),
        recordedVersions,
        async countUses({ name, version }, limit) {
          const counts = await Promise.all(
            kinds
              .filter((each) => each.name === name)
              .map(async ({ kind, count }) => ({ kind, ...(await count(version, limit)) })),
          );
          return {
            uses: Object.fromEntries(counts.map(({ kind, count }) => [kind, count])),
            accountIds: [...new Set(counts.flatMap(({ accountIds }) => accountIds))],
          };
        },
      };
    },
  };
}

function versionsOf(secrets: Secrets): (SecretVersion & { isFirst: boolean })[] {
  return Object.entries(secrets).flatMap(([name, list]: [string, Secrets[SecretName]]) =>
    list.map(({ version }, index) => ({
      name: name as SecretName,
      version,
      isFirst: index === 0,
    })),
  );
}

async function countApiKeys(
  { accounts }: Pick<Collections, 'accounts'>,
  clock: Pick<Clock, 'now'>,
): Promise<SecretKind> {
  const options = { hint: 'keyPepper', maxTimeMS };
  // Without a hint: servers before 7.1 do not accept one here.
  const versions = await accounts.distinct('keys.pepperVersion', {}, { maxTimeMS });
  return {
    name: 'keyPeppers',
    kind: 'api_keys',
    versions: versions.filter((version) => typeof version === 'string'),
    async count(pepperVersion, limit) {
      const now = new Date(clock.now());
      const liveExpression = {
        $or: [{ $eq: ['$$this.revokedAt', null] }, { $gt: ['$$this.revokedAt', now] }],
      };
      const cond = { $and: [{ $eq: ['$$this.pepperVersion', pepperVersion] }, liveExpression] };
      const [countRow] = await accounts
        .aggregate<VersionCount>(
          [
            {
              $match: {
                $or: [null, { $gt: now }].map((revokedAt) => ({
                  keys: { $elemMatch: { pepperVersion, revokedAt } },
                })),
              },
            },
            { $limit: limit },
            { $project: { keys: { $size: { $filter: { input: '$keys', cond } } } } },
            sumUp('$keys'),
          ],
          options,
        )
        .toArray();
      return countRow ?? none;
    },
  };
}

async function countOperatorKeys(
  { operatorKeys: keys }: Pick<Collections, 'operatorKeys'>,
  clock: Pick<Clock, 'now'>,
): Promise<SecretKind> {
  const versions = await keys.distinct('pepperVersion', {}, { maxTimeMS });
  return {
    name: 'keyPeppers',
    kind: 'operator_keys',
    versions: versions.filter((version) => typeof version === 'string'),
    async count(pepperVersion, limit) {
      const liveFilter = {
        $or: [{ revokedAt: null }, { revokedAt: { $gt: new Date(clock.now()) } }],
      };
      const options = { limit, hint: 'pepper', maxTimeMS };
      return {
        ...none,
        count: await keys.countDocuments({ pepperVersion, ...liveFilter }, options),
      };
    },
  };
}

async function countSealedFactors(
  kind: string,
  factors: Collections['customerFactors'],
): Promise<SecretKind> {
  const options = { hint: 'sealed', maxTimeMS };
  const versions: string[] = [];
  let position = '';
  // Skips from one version to the next, however many factors lie in between.
  for (;;) {
    const next = await factors.findOne(
      { secret: { $gte: position } },
      { ...options, sort: { secret: 1 }, projection: { _id: 0, secret: 1 } },
    );
    if (!next) break;
    const version = sealedVersion(next.secret);
    versions.push(version);
    position = sealedTexts(version).before;
  }
  return {
    name: 'sessionKeys',
    kind,
    versions,
    async count(version, limit) {
      const { from, before } = sealedTexts(version);
      const match = { $match: { secret: { $gte: from, $lt: before } } };
      const [countRow] = await factors
        .aggregate<VersionCount>([match, { $limit: limit }, sumUp(1)], options)
        .toArray();
      return countRow ?? none;
    },
  };
}

/** Counts all versions in one pass: no index contains the texts of emails. */
async function countSealedMails({ mails }: Pick<Collections, 'mails'>): Promise<SecretKind> {
  const rows = await mails
    .aggregate<{ _id: string; count: number }>(
      [
        { $match: { nextAttemptAt: { $gt: new Date(0) } } },
        { $limit: maxMails },
        { $match: { isDecoy: { $ne: true } } },
        { $group: { _id: { $first: { $split: ['$sealed', ':'] } }, count: { $sum: 1 } } },
      ],
      { hint: 'due', maxTimeMS },
    )
    .toArray();
  const counts = new Map(rows.map(({ _id, count }) => [_id, count]));
  return {
    name: 'sessionKeys',
    kind: 'mails',
    versions: [...counts.keys()],
    count: async (version) => ({ count: counts.get(version) ?? 0, accountIds: [] }),
  };
}

const sumUp = (each: string | number) => ({
  $group: {
    _id: null,
    count: { $sum: each },
    accountIds: { $firstN: { input: '$_id', n: maxNamed } },
  },
});
