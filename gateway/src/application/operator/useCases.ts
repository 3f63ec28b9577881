import { accountUseCases } from './accounts.ts';
import { catalogueUseCases } from './catalogueVersions.ts';
import { creditUseCases } from './credits.ts';
import { erasureUseCases } from './erasures.ts';
import { eventUseCases } from './events.ts';
import { generationUseCases } from './generations.ts';
import { keyUseCases } from './keys.ts';
import { memberUseCases } from './members.ts';
import type { OperatorUseCases } from './operatorCall.ts';
import { planUseCases } from './plans.ts';
import { reportUseCases } from './reports.ts';
import { signInLinkUseCases } from './signInLinks.ts';
import { upsertUseCases } from './upsertAccount.ts';

/** All operations of the operator API. */
export const operatorUseCases: OperatorUseCases = {
  ...accountUseCases,
  ...upsertUseCases,
  ...erasureUseCases,
  ...signInLinkUseCases,
  ...creditUseCases,
  ...planUseCases,
  ...keyUseCases,
  ...memberUseCases,
  ...generationUseCases,
  ...catalogueUseCases,
  ...eventUseCases,
  ...reportUseCases,
};
