import type { Proposal } from '../../../application/ports/staff.ts';
import type { AuditEntry } from '../../../domain/staff/auditEntry.ts';
import { staffRoles } from '../../../domain/staff/staffRights.ts';
import { codecOf } from './codec.ts';
import { documentSchema, oneOf, type StoredOf, text, textIfAny, time } from './schema.ts';

const texts = { type: [String], required: true } as const;

/** The audit log of staff. */
export const staffAuditSchema = documentSchema('staffAudit', {
  _id: text,
  at: time,
  accountId: text,
  email: text,
  role: oneOf([...staffRoles, 'operator']),
  // Not listed here: later versions add some.
  action: text as typeof text & { readonly __rawDocTypeHint: AuditEntry['action'] },
  targets: texts,
  reason: text,
  outcome: oneOf(['begun', 'done', 'refused', 'failed']),
  result: text,
  requestId: text,
  address: text,
  formId: textIfAny,
  /** Search terms of an entry. */
  terms: texts,
})
  .index({ terms: 1, _id: -1 }, { name: 'terms' })
  // Each form takes effect once.
  .index(
    { formId: 1 },
    {
      name: 'formId',
      unique: true,
      partialFilterExpression: { formId: { $exists: true } },
    },
  );

export const staffAuditCodec = codecOf<Omit<AuditEntry, 'formId'> & { formId?: string }, 'terms'>()(
  staffAuditSchema,
);

/** An entry as it is stored, with its search terms. */
export function auditDocument({ formId, ...entry }: AuditEntry): StoredOf<typeof staffAuditSchema> {
  const { accountId, email, action, requestId, targets } = entry;
  return {
    ...staffAuditCodec.toStored({ ...entry, ...(formId !== null && { formId }) }),
    terms: [...new Set([accountId, email, action, requestId, ...targets])],
  };
}

/** Actions of staff that wait for a second admin. */
export const staffProposalSchema = documentSchema('staffProposals', {
  _id: text,
  at: time,
  expiresAt: time,
  action: text as typeof text & { readonly __rawDocTypeHint: Proposal['action'] },
  slug: text,
  targetId: text,
  /** Names and values of its form. */
  fields: { type: [[String]], required: true } as unknown as {
    readonly type: ArrayConstructor;
    readonly required: true;
    readonly __rawDocTypeHint: [string, string][];
  },
  reason: text,
  accountId: text,
  email: text,
}).index({ expiresAt: 1 }, { name: 'gone', expireAfterSeconds: 0 });

export const staffProposalCodec = codecOf<Proposal>()(staffProposalSchema);
