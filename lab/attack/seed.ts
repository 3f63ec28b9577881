import { randomBytes } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { dayMs, operatorScopeNames } from '@framegate/contract';
import { createOperatorKeyStore } from '../../gateway/src/adapters/mongo/staff/operatorStores.ts';
import { argon2Passwords } from '../../gateway/src/adapters/system/passwords.ts';
import { createRandom } from '../../gateway/src/adapters/system/random.ts';
import { createAccount } from '../../gateway/src/application/accounts/createAccount.ts';
import { createKey } from '../../gateway/src/application/keys/keys.ts';
import { createOperatorKey } from '../../gateway/src/application/operator/operatorKeys.ts';
import {
  mediaPurposes,
  posterWidths,
  signInputUrl,
  signOutputUrl,
} from '../../gateway/src/domain/generations/mediaUrl.ts';
import { formatId } from '../../gateway/src/domain/ids.ts';
import { staffRoles } from '../../gateway/src/domain/staff/staffRights.ts';
import { maxSelected } from '../../gateway/src/http/site/account/wall/wallParts.ts';
import type { FaultWorld } from '../../test/faults/faultWorld.ts';
import { plain } from '../../test/support/plainCollection.ts';
import { mediaKey, pepper, signIn, signInStaff } from './secrets.ts';
import { openForm } from './shots.ts';
import { uploadForm } from './sockets.ts';
import type { MemberRole, Person, Target } from './target.ts';

const password = `attack ${randomBytes(12).toString('hex')}`;
const memberRoles = ['editor', 'member', 'billing'] as const satisfies MemberRole[];

/** A picture of one colour as WebP, in base64; one with alpha is drawn with all of its pixels. */
async function makePicture(side: number): Promise<string> {
  const background = { r: 40, g: 90, b: 60, alpha: 0.5 };
  const picture = sharp({ create: { width: side, height: side, channels: 4, background } });
  return (await picture.webp({ lossless: true }).toBuffer()).toString('base64');
}

/** The part of a target that all rows share: everything but its people and its address. */
export type SharedTarget = Omit<Target, 'people' | 'localAddress'>;

/**
 * Gives the accounts of a filled world, whose processes run, teams of the next three, keys, sessions and files, and
 * adds staff and an operator key.
 */
export async function seed(
  world: FaultWorld,
  origins: Target['origins'],
  files: Target['files'],
  completedId: string,
): Promise<{ people: Person[]; ground: SharedTarget }> {
  const { mongo } = world;
  const { database, clock, collections, models } = mongo;
  const deps = { database, clock, random: createRandom(clock), pepper };
  const passwordHash = await argon2Passwords.hash(password);
  const grown = { email: /^grown-/ };
  await plain(collections.accounts).updateMany(grown, { $set: { passwordHash, limits: {} } });
  const stored = await collections.accounts.find(grown).toArray();
  const { operatorKey } = await createOperatorKey(
    { operatorKeys: createOperatorKeyStore(models), ...deps },
    { name: 'attack', scopes: operatorScopeNames, addresses: [], expiresAt: null },
  );
  const smallPicture = await makePicture(640);
  const bare: Omit<Person, 'cookies' | 'memberIds' | 'uploadId'>[] = [];
  for (const account of stored) {
    const accountId = account._id;
    const key = { accountId, name: 'attack', hosts: [world.inputs.host], models: [] };
    const newest = await collections.generations
      .find({ accountId, status: 'completed' })
      .sort({ _id: -1 })
      .limit(maxSelected)
      .toArray();
    const [oldest] = await collections.generations
      .find({ accountId })
      .sort({ _id: 1 })
      .limit(1)
      .toArray();
    const generationIds = newest.map(({ _id }) => _id);
    for (const id of generationIds) await copyFiles(world, completedId, id);
    bare.push({
      accountId,
      email: account.email,
      ...(await createKey(deps, key)),
      generationIds,
      oldestId: oldest?._id ?? '',
      ledgerEntries: account.ledgerEntries,
      collectionId: await addCollection(world, accountId),
    });
  }
  const shared = { origins, operatorKey, smallPicture };
  const people: Person[] = [];
  for (const [index, one] of bare.entries()) {
    people.push(await addTeam(world, one, bare, index, shared));
  }
  const [victim, spare, ...attackers] = people;
  const [first] = attackers;
  if (!victim || !spare || !first) throw new Error('too few accounts');
  const staff = {} as Target['staff'];
  for (const staffRole of staffRoles) {
    const email = `${staffRole}@attack.example`;
    const withHash = { ...deps, passwords: argon2Passwords };
    const { id } = await createAccount(withHash, { email, password, isVerified: true, staffRole });
    staff[staffRole] = await signInStaff(world, id);
  }
  const ground = { origins, victim, spare, staff, operatorKey, password, files };
  return {
    people: attackers,
    ground: {
      ...ground,
      smallPicture,
      hugePicture: await makePicture(6_300),
      mediaPaths: await findMediaPaths(world, completedId, first.accountId),
      sharedToken: await share(origins.gateway, first),
    },
  };
}

async function copyFiles({ files }: FaultWorld, from: string, to: string): Promise<void> {
  for (const purpose of mediaPurposes) {
    const folder = join(files.folder, purpose);
    await cp(join(folder, from), join(folder, to), { recursive: true }).catch(() => undefined);
  }
}

async function addCollection({ mongo }: FaultWorld, accountId: string): Promise<string> {
  const { collections, clock } = mongo;
  const _id = formatId('col', clock.now(), randomBytes(10));
  const one = {
    _id,
    accountId,
    name: 'Attack',
    madeBy: accountId,
    createdAt: new Date(clock.now()),
  };
  await plain(collections.generationCollections).insertOne(one);
  await plain(collections.generations).updateMany(
    { accountId, isFavourite: true },
    { $set: { collectionIds: [_id] } },
  );
  return _id;
}

/** Makes the next accounts members of this one, by the operator API. */
async function addTeam(
  world: FaultWorld,
  one: Omit<Person, 'cookies' | 'memberIds' | 'uploadId'>,
  all: readonly { accountId: string }[],
  index: number,
  shared: Pick<Target, 'origins' | 'operatorKey' | 'smallPicture'>,
): Promise<Person> {
  const { origins, operatorKey, smallPicture } = shared;
  const cookies = { customer: await signIn(world, one.accountId) } as Person['cookies'];
  const memberIds = {} as Person['memberIds'];
  for (const [place, role] of memberRoles.entries()) {
    const member = all[(index + place + 1) % all.length]?.accountId ?? '';
    const response = await fetch(
      `${origins.operator}/operator/v1/accounts/${one.accountId}/members`,
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${operatorKey}`,
          'content-type': 'application/json',
          'idempotency-key': `${one.accountId} ${role}`.replace(' ', '-'),
        },
        body: JSON.stringify({ member_account_id: member, role }),
      },
    );
    if (response.status !== 200) throw new Error(`no member: ${await response.text()}`);
    memberIds[role] = member;
    cookies[role] = await signIn(world, member, one.accountId);
  }
  const uploadId = await upload(origins, cookies.customer, smallPicture);
  return { ...one, cookies, memberIds, uploadId };
}

/**
 * Signed paths of a result's file and posters, and of a copy of the file as an input, by purpose. The generation is the
 * account's oldest that completed: rows delete the newest.
 */
async function findMediaPaths(
  world: FaultWorld,
  completedId: string,
  accountId: string,
): Promise<Record<string, string>> {
  const { files, mongo } = world;
  const [oldest] = await mongo.collections.generations
    .find({ accountId, status: 'completed' })
    .sort({ _id: 1 })
    .limit(1)
    .toArray();
  const generationId = oldest?._id ?? completedId;
  if (generationId !== completedId) await copyFiles(world, completedId, generationId);
  const folder = join(files.folder, 'inputs', generationId);
  await cp(join(files.folder, 'outputs', generationId), folder, { recursive: true });
  const nowMs = mongo.clock.now();
  const file = { generationId, index: 0, extension: 'mp4', mediaUrl: '', signingKeys: [mediaKey] };
  const output = { ...file, nowMs, removedAt: Infinity };
  const urls = [
    signOutputUrl(output),
    ...posterWidths.map((width) => signOutputUrl(output, width)),
    signInputUrl({ ...file, nowMs, validMs: dayMs }),
  ];
  return Object.fromEntries(
    urls.map(({ url }) => [url.split('/')[1] ?? '', url.split('/').slice(2).join('/')]),
  );
}

/** Makes a public link. @returns Its token. */
async function share(
  origin: string,
  { cookies, generationIds: [id = ''] }: Person,
): Promise<string> {
  const path = `/generations/${id}/share`;
  const { cookie, token } = await openForm(origin, path, cookies.customer);
  await fetch(origin + path, {
    method: 'POST',
    headers: {
      cookie,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ form_token: token, days: '30', prompt: 'yes' }).toString(),
    redirect: 'manual',
  });
  const { body } = await openForm(origin, path, cookies.customer);
  const link = /\/shared\/([\w-]+)/.exec(body)?.[1];
  if (link === undefined) throw new Error('there is no public link');
  return link;
}

/** Gives the studio a picture. @returns Its id. */
async function upload(origins: Target['origins'], cookie: string, file: string): Promise<string> {
  const { headers, body } = await uploadForm({ origins }, cookie, file);
  let status = 0;
  // A busy machine may read a picture too slowly.
  for (let attempts = 0; attempts < 5; attempts += 1) {
    const response = await fetch(`${origins.gateway}/studio`, { method: 'POST', headers, body });
    const id = /\/studio\/uploads\/([\w-]+)/.exec(await response.text())?.[1];
    if (id !== undefined) return id;
    ({ status } = response);
  }
  throw new Error(`the studio shows no upload: ${status}`);
}
