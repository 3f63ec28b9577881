import {
  mp4OfUnknownCodecs,
  slowSound,
  webmOfClusters,
} from '../../gateway/media/test/hostileFiles.ts';
import type { StaffRole } from '../../gateway/src/domain/staff/staffRights.ts';
import type { TeamRole } from '../../gateway/src/domain/teams/teamRoles.ts';

/** The files that are most expensive to read. */
export const hostileFiles = {
  sound: slowSound,
  clusters: () => webmOfClusters(400_000),
  codecs: () => mp4OfUnknownCodecs(3_000),
};

/** Roles of the members of a team. */
export type MemberRole = Exclude<TeamRole, 'owner'>;

/** An account with a long history, and its team. */
export interface Person {
  accountId: string;
  email: string;
  apiKey: string;
  keyId: string;
  /** Cookies of its own person, and of a member of each role who acts for it. */
  cookies: Record<'customer' | MemberRole, string>;
  memberIds: Record<MemberRole, string>;
  /** Newest first, as many as a form may name; they have files. */
  generationIds: readonly string[];
  oldestId: string;
  ledgerEntries: number;
  collectionId: string;
  uploadId: string;
}

/** The attackers' knowledge and property, as plain data for their process. */
export interface Target {
  origins: Record<'gateway' | 'operator' | 'metrics', string>;
  /** The address from which this row's connections come: the limits of addresses start again. */
  localAddress: string;
  /** Four accounts; a row with one attacker uses the first. */
  people: readonly [Person, ...Person[]];
  /** The account on which staff and operators work, and one that they suspend and erase. */
  victim: Person;
  spare: Person;
  staff: Record<StaffRole, string>;
  operatorKey: string;
  /** Password of this run's accounts. */
  password: string;
  /** Paths of files by the first part of their path, and of a page behind a link. */
  mediaPaths: Record<string, string>;
  sharedToken: string;
  /** URLs of a good picture and of the hostile files. */
  files: Record<'picture' | keyof typeof hostileFiles, string>;
  /** Small files, the second with very many pixels, in base64. */
  smallPicture: string;
  hugePicture: string;
}
