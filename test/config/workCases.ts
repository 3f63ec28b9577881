import type { Config } from '../../gateway/src/config.ts';
import { deadlineOf } from '../../gateway/src/settings/timeSettings.ts';
import type { Case, Name } from './settingCase.ts';

const runningSeconds = (type: 'video' | 'image', model: string) => (config: Config) =>
  deadlineOf(config.runningDeadlines[type], model);

/** Settings of generations: deadlines, retention, prices, and hosts of inputs. */
export const workCases = {
  WAITING_DEADLINE_SECONDS: {
    value: '5, image-a-2=7',
    read: ({ waitingDeadline }) =>
      ['image-a-2', 'beta-3.0'].map((model) => deadlineOf(waitingDeadline, model)),
    gives: [7, 5],
    refused: '0',
  },
  VIDEO_DEADLINE_SECONDS: {
    value: '9',
    read: runningSeconds('video', 'beta-3.0'),
    gives: 9,
    refused: '9,image-a-2=x',
  },
  IMAGE_DEADLINE_SECONDS: {
    value: '9,image-b-2=2592000',
    read: runningSeconds('image', 'image-b-2'),
    gives: 2_592_000,
    refused: '2592001',
  },
  IDEMPOTENCY_KEPT_SECONDS: {
    value: '60',
    read: (c) => c.idempotencyKeptSeconds,
    gives: 60,
    refused: '0',
  },
  STOP_PAUSE_SECONDS: {
    value: '5',
    read: (c) => c.stopPauseSeconds,
    gives: 5,
    refused: '301',
  },
  STOP_GRACE_SECONDS: {
    value: '30',
    read: (c) => c.stopGraceSeconds,
    gives: 30,
    refused: '0',
  },
  OUTPUTS_KEPT_SECONDS: {
    value: '60',
    read: (c) => c.outputsKeptSeconds,
    gives: 60,
    refused: '1.5',
  },
  FAVOURITES_KEPT_SECONDS: {
    value: '99999999',
    read: (c) => c.favouritesKeptSeconds,
    gives: 99_999_999,
    refused: '-1',
  },
  REFUSED_KEPT_SECONDS: {
    value: '0',
    read: (c) => c.refusedKeptSeconds,
    gives: 0,
    refused: '-1',
  },
  PROMPTS_KEPT_SECONDS: {
    value: '60',
    read: (c) => c.promptsKeptSeconds,
    gives: 60,
    refused: '0',
  },
  AUDIT_KEPT_SECONDS: {
    value: '60',
    read: (c) => c.auditKeptSeconds,
    gives: 60,
    refused: '-1',
  },
  SIGNUP_CREDITS: { value: '120', read: (c) => c.signupCredits, gives: 120, refused: '-1' },
  LOW_CREDITS: { value: '0', read: (c) => c.lowCredits, gives: 0, refused: '-1' },
  CREDIT_VALUE: {
    value: '0.0125 EUR',
    read: (c) => c.creditValue,
    gives: { currency: 'EUR', micros: 12_500 },
    refused: '0.01',
  },
  LEAKED_PASSWORDS_URL: {
    value: 'https://leaks.example/range/',
    read: (c) => c.leakedPasswordsUrl,
    gives: 'https://leaks.example/range',
    refused: 'leaks.example',
  },
  CREDITS_URL: {
    value: 'https://shop.example/credits?from=framegate',
    read: (c) => c.outsideLinks.credits,
    gives: 'https://shop.example/credits?from=framegate',
    refused: 'javascript:alert(1)',
  },
  SUPPORT_URL: {
    value: 'mailto:help@example.com',
    read: (c) => c.outsideLinks.support,
    gives: 'mailto:help@example.com',
    refused: 'help@example.com',
  },
  SUPPORT_CREDITS_PER_DAY: {
    value: '500',
    read: (c: Config) => c.supportCreditsPerDay,
    gives: 500,
    refused: '-1',
  },
  SECOND_PERSON_CREDITS: {
    value: '500',
    read: (c: Config) => c.secondPersonCredits,
    gives: 500,
    refused: '-1',
  },
  OPERATOR_CREDITS_PER_DAY: {
    value: '600',
    read: (c: Config) => c.operatorCreditsPerDay,
    gives: 600,
    refused: '-1',
  },
  CUSTOMERS_NEED_SECOND_FACTOR: {
    value: 'true',
    read: (c) => c.customersNeedSecondFactor,
    gives: true,
    refused: 'yes',
  },
  REAL_PERSON_NEEDS_SECOND_FACTOR: {
    value: 'true',
    read: (c: Config) => c.realPersonNeedsSecondFactor,
    gives: true,
    refused: 'sometimes',
  },
  AUTO_APPROVED_HOSTS: {
    value: 'CDN.example, *.files.example',
    read: (c) => c.inputHosts.autoApproved,
    gives: ['cdn.example', '*.files.example'],
    refused: '*.example',
  },
  INPUT_HOST_OVERRIDES: {
    value: 'Media.example=127.0.0.1:8443,six.example=[::1]:443',
    read: (c) => c.inputHosts.overrides,
    gives: {
      'media.example': { address: '127.0.0.1', port: 8443 },
      'six.example': { address: '::1', port: 443 },
    },
    refused: 'media.example=localhost:8443',
  },
} satisfies Partial<Record<Name, Case>>;
