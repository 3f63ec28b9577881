import { firstIndexes } from './0001-firstIndexes.ts';
import { routePlaces } from './0002-routePlaces.ts';
import { mails } from './0003-mails.ts';
import { keyBeginnings } from './0004-keyBeginnings.ts';
import { uploads } from './0005-uploads.ts';
import { addresses } from './0006-addresses.ts';
import { nextExpiry } from './0007-nextExpiry.ts';
import { erasing } from './0008-erasing.ts';
import { secretVersions } from './0009-secretVersions.ts';
import { schemas } from './0010-schemas.ts';
import { deliveries } from './0011-deliveries.ts';
import { operator } from './0012-operator.ts';
import { events } from './0013-events.ts';
import { catalogues } from './0014-catalogues.ts';
import { lockedJobs } from './0015-lockedJobs.ts';
import { takenBack } from './0016-takenBack.ts';
import { operatorAnswers } from './0017-operatorAnswers.ts';
import { operatorEvents } from './0018-operatorEvents.ts';
import { wall } from './0019-wall.ts';
import { signInLinks } from './0020-signInLinks.ts';
import { signOn } from './0021-signOn.ts';
import { invitations } from './0022-invitations.ts';
import { teams } from './0023-teams.ts';
import { fewerIndexes } from './0024-fewerIndexes.ts';
import { accountIndexes } from './0025-accountIndexes.ts';
import { accountLookups } from './0026-accountLookups.ts';
import { sharedLookups } from './0027-sharedLookups.ts';
import { unusedIndexes } from './0028-unusedIndexes.ts';
import type { Migration } from './migration.ts';

/** Every migration, in the order of their versions. One that has been released is never changed. */
export const migrations: readonly Migration[] = [
  firstIndexes,
  routePlaces,
  mails,
  keyBeginnings,
  uploads,
  addresses,
  nextExpiry,
  erasing,
  secretVersions,
  schemas,
  deliveries,
  operator,
  events,
  catalogues,
  lockedJobs,
  takenBack,
  operatorAnswers,
  operatorEvents,
  wall,
  signInLinks,
  signOn,
  invitations,
  teams,
  fewerIndexes,
  accountIndexes,
  accountLookups,
  sharedLookups,
  unusedIndexes,
];
