import type { Guide, GuideSource } from '../facts.ts';
import { creditsGuide, errorsGuide, limitsGuide, modelsGuide } from './credits.ts';
import {
  idempotencyGuide,
  inputsGuide,
  keysGuide,
  pollingGuide,
  quickStart,
  realPeopleGuide,
} from './start.ts';
import { mcpGuide, missingGuide, n8nGuide, versionsGuide, zapierGuide } from './tools.ts';

/** All guides, from top to bottom. */
export function guidesOf(source: GuideSource): Guide[] {
  const guides = [
    quickStart,
    keysGuide,
    pollingGuide,
    idempotencyGuide,
    inputsGuide,
    realPeopleGuide,
    modelsGuide,
    creditsGuide,
    limitsGuide,
    errorsGuide,
    n8nGuide,
    zapierGuide,
    mcpGuide,
    missingGuide,
    versionsGuide,
  ];
  return guides.flatMap((guide) => guide(source) ?? []);
}
