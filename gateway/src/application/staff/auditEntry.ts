import type { AuditEntry } from '../../domain/staff/auditEntry.ts';
import type { App } from '../app.ts';

/** Who acts, from where, and how. */
type Act = Pick<AuditEntry, 'accountId' | 'email' | 'role' | 'action' | 'requestId' | 'address'>;

/** Makes an entry of the audit log: by default about nothing in particular, and done. */
export const auditEntry = (
  { clock, random }: Pick<App, 'clock' | 'random'>,
  entry: Act & Partial<Omit<AuditEntry, 'id' | 'at' | keyof Act>>,
): AuditEntry => ({
  id: random.newId('aud'),
  at: clock.now(),
  targets: [],
  reason: '',
  outcome: 'done',
  result: '',
  formId: null,
  ...entry,
});
