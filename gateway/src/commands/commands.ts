import { accountCommands } from './accountCommands.ts';
import type { Command, OfflineCommand } from './command.ts';
import { costCommands } from './costCommands.ts';
import { databaseCommands } from './databaseCommands.ts';
import { exportCommands } from './exportCommands.ts';
import { grantCommand } from './grantCommand.ts';
import { keyCommands } from './keyCommands.ts';
import { ledgerCommands } from './ledgerCommands.ts';
import { lookUpCommands } from './lookUpCommands.ts';
import { modelCommands } from './modelCommands.ts';
import { operatorKeyCommands } from './operatorKeyCommands.ts';
import { planCommands } from './planCommands.ts';
import { resultCommands } from './resultCommands.ts';
import { routeCommands } from './routeCommands.ts';
import { secretCommands } from './secretCommands.ts';
import { staffCommands } from './staffCommands.ts';

/** Every command by its two words, in the order of the usage and docs/operating/admin.md. */
export const commands: Readonly<Record<string, Command | OfflineCommand>> = {
  ...accountCommands,
  ...lookUpCommands,
  ...resultCommands,
  'credits grant': grantCommand,
  ...planCommands,
  ...keyCommands,
  ...operatorKeyCommands,
  ...exportCommands,
  ...staffCommands,
  ...modelCommands,
  ...routeCommands,
  ...costCommands,
  ...ledgerCommands,
  ...secretCommands,
  ...databaseCommands,
};
