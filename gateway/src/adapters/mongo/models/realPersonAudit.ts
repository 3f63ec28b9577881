import { inputRoles, inputTypes } from '@framegate/contract';
import type { RealPersonAudit } from '../../../domain/generations/realPerson.ts';
import { codecOf } from './codec.ts';
import { documentSchema, oneOf, partSchema, text, textOrNull, time } from './schema.ts';

const inputSchema = partSchema({
  type: oneOf(inputTypes),
  role: oneOf(inputRoles),
  /** Hexadecimal hash; null until the input has been copied. */
  sha256: textOrNull,
});

/** Accepted uses of real-person mode, by generation id. */
export const realPersonAuditSchema = documentSchema('realPersonAudit', {
  _id: text,
  at: time,
  accountId: text,
  /** Null for a use on the account's own site. */
  keyId: textOrNull,
  requestId: text,
  model: text,
  mode: text,
  policyVersion: text,
  consentReference: text,
  /** Empty once the account is erased. */
  callerAddress: text,
  inputs: { type: [inputSchema], required: true },
  keptUntil: time,
})
  .index({ at: 1, _id: 1 }, { name: 'at' })
  .index({ keptUntil: 1 }, { name: 'gone', expireAfterSeconds: 0 })
  .index({ accountId: 1 }, { name: 'account' });

export const realPersonAuditCodec = codecOf<RealPersonAudit>()(realPersonAuditSchema);
