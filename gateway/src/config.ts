import { resolve } from 'node:path';
import type { Money } from '@framegate/provider-routes';
import { senderOf } from './domain/brand/brand.ts';
import type { Secrets } from './domain/installation/secretVersions.ts';
import type { HostOverride } from './domain/network/inputUrl.ts';
import type { TraceSettings } from './domain/network/traceContext.ts';
import { brandProblems, productionRefusals, relationProblems } from './settings/checks.ts';
import { type OperatorFiles, readFiles } from './settings/fileSettings.ts';
import {
  arrangeMediaDelivery,
  arrangeMediaStore,
  type MediaDeliveryConfig,
  type MediaStoreConfig,
  posterTypes,
} from './settings/mediaStoreSettings.ts';
import { type ProvenanceConfig, readProvenance } from './settings/provenanceSettings.ts';
import { providerKeyNames, readSecretFiles } from './settings/secretSettings.ts';
import { arrangeServer, type ServerConfig } from './settings/serverSettings.ts';
import { arrangeTraces, databaseSettings } from './settings/serviceSettings.ts';
import { ConfigError, type Environment, parseSettings } from './settings/setting.ts';
import { settings, type SettingValues } from './settings/settings.ts';
import { arrangeSignIn, type SignInConfig } from './settings/signInSettings.ts';
import { arrangeTimes, deadlineProblems, type TimeConfig } from './settings/timeSettings.ts';

/** All decisions of the operator, checked and frozen. Never log it: it contains secrets. */
export interface Config extends OperatorFiles, ServerConfig, TimeConfig {
  /** Absolute path of DATA_DIR. */
  dataDir: string;
  /** Absolute path of PROVIDERS_DIR; null if packages are next to the gateway. */
  providersDir: string | null;
  database: {
    /** Null for the embedded server in DATA_DIR. */
    uri: string | null;
    /** Whether the database logs or refuses a document that does not match its schema. */
    documentChecks: 'warn' | 'error';
    /** MONGOD: the program of the embedded server. */
    mongod: string | null;
    /** CACHE_DIR; null: the user's cache folder. */
    cacheDir: string | null;
  };
  /** Null if they are generated into DATA_DIR (adapters/system/secretsFile.ts). */
  secrets: { readonly [Name in keyof Secrets]: Secrets[Name] | null };
  /** How long a stopping process, no longer ready, still accepts requests. */
  stopPauseSeconds: number;
  /** How long current requests and work may continue at a stop, after the pause. */
  stopGraceSeconds: number;
  signIn: SignInConfig;
  signUp: 'open' | 'invite' | 'closed';
  /** Service for looking up new passwords among leaked ones; null for none. */
  leakedPasswordsUrl: string | null;
  signupCredits: number;
  /** The balance below which the operator is notified of low credits; 0 for never. */
  lowCredits: number;
  /** Revenue per credit; null if not set. */
  creditValue: Money | null;
  /** External URLs linked from the account site. */
  outsideLinks: { credits: string | null; support: string | null };
  secondPersonCredits: number;
  supportCreditsPerDay: number;
  operatorCreditsPerDay: number;
  /** Whether customers without a second factor only reach the pages of their own account. */
  customersNeedSecondFactor: boolean;
  realPersonNeedsSecondFactor: boolean;
  inputHosts: {
    autoApproved: readonly string[];
    overrides: Readonly<Record<string, HostOverride>>;
  };
  mediaStore: MediaStoreConfig;
  mediaDelivery: MediaDeliveryConfig;
  /** The types of results with small pictures. */
  posters: readonly ('image' | 'video')[];
  /** The certificate that signs the results' manifests; null without one, or if this process makes no results. */
  provenance: ProvenanceConfig | null;
  mail: { smtpUrl: string | null; from: string };
  /** Destination of traces; null for none. */
  traces: TraceSettings | null;
  /** A variable named by a routes file (apiKeyEnv) or by the system (PATH); a key may also come from its file. */
  environment: (name: string) => string | undefined;
}

/** Dependencies of loading in addition to the environment. */
export interface LoadOptions {
  /** Base of relative paths; the working directory. */
  cwd?: string;
  /** Whether only the database settings are read and required. */
  isDatabaseOnly?: boolean;
  /** Whether ROUTES_FILE may be missing or without routes, because it will be written. */
  mayLackRoutes?: boolean;
}

/** Credits of a new account in a trial: enough for its first videos. */
const trialCredits = 500;

const aboutDatabase = new Set(['MODE', 'LOG_LEVEL', ...Object.keys(databaseSettings)]);
const secretNames = Object.entries(settings).flatMap(([name, { isSecret }]) =>
  isSecret ? [name] : [],
);

/**
 * Reads the settings, and secrets from files named by `NAME_FILE`. Node itself reads `.env` (gateway/dotEnv.js).
 * @throws ConfigError with every problem.
 */
export function loadConfig(
  environment: Environment = process.env,
  options: LoadOptions = {},
): Config {
  const absolute = (path: string) => resolve(options.cwd ?? '.', path);
  const isRead = (name: string) => options.isDatabaseOnly !== true || aboutDatabase.has(name);
  const readVariables = Object.entries(environment).filter(
    ([name]) => isRead(name) || !(name in settings),
  );
  const settingSecrets = readSecretFiles(
    secretNames.filter(isRead),
    Object.fromEntries(readVariables),
    absolute,
  );
  const { values, problems } = parseSettings(settings, settingSecrets.env);
  problems.push(...settingSecrets.problems);
  const { files, problems: fileProblems } = readFiles(values, absolute, options.mayLackRoutes);
  const providerSecrets = readSecretFiles(
    providerKeyNames(files.routes),
    settingSecrets.env,
    absolute,
  );
  // Only workers make results; no other process has the key.
  const certificate = readProvenance(values.ROLE === 'api' ? {} : values, absolute);
  problems.push(...fileProblems, ...providerSecrets.problems, ...relationProblems(values));
  problems.push(...certificate.problems, ...brandProblems(values, files.brand));
  const { file, catalogue } = files.catalogue;
  // A file with problems is not read.
  if (file !== null || !values.MODELS_FILE) {
    problems.push(...deadlineProblems(values, catalogue.models));
  }
  if (values.MODE === 'production') {
    const wrong = new Set(problems.map(({ setting }) => setting));
    if (options.mayLackRoutes) wrong.add('ROUTES_FILE');
    const refusals = productionRefusals(values, files.routes, wrong);
    problems.push(...refusals.filter(({ setting }) => isRead(setting)));
  }
  if (problems.length > 0) throw new ConfigError(problems);
  const { provenance } = certificate;
  return freezeDeep(
    arrange(values as SettingValues, { ...files, provenance }, absolute, providerSecrets.env),
  );
}

function arrange(
  values: SettingValues,
  files: OperatorFiles & Pick<Config, 'provenance'>,
  absolute: (path: string) => string,
  env: Environment,
): Config {
  const server = arrangeServer(values);
  const dataDir = absolute(values.DATA_DIR);
  return {
    ...server,
    dataDir,
    providersDir: values.PROVIDERS_DIR && absolute(values.PROVIDERS_DIR),
    database: {
      uri: values.MONGODB_URI,
      documentChecks: values.DOCUMENT_CHECKS,
      mongod: values.MONGOD && absolute(values.MONGOD),
      cacheDir: values.CACHE_DIR && absolute(values.CACHE_DIR),
    },
    secrets: {
      keyPeppers: values.KEY_PEPPERS,
      mediaSigningKeys: values.MEDIA_SIGNING_KEYS,
      sessionKeys: values.SESSION_KEYS,
    },
    ...files,
    ...arrangeTimes(values),
    stopPauseSeconds: values.STOP_PAUSE_SECONDS,
    stopGraceSeconds: values.STOP_GRACE_SECONDS,
    signIn: arrangeSignIn(values),
    signUp: values.SIGN_UP,
    leakedPasswordsUrl: values.LEAKED_PASSWORDS_URL,
    signupCredits: values.SIGNUP_CREDITS ?? (values.MODE === 'development' ? trialCredits : 0),
    lowCredits: values.LOW_CREDITS,
    creditValue: values.CREDIT_VALUE,
    outsideLinks: {
      credits: values.CREDITS_URL,
      support: values.SUPPORT_URL ?? files.brand.support,
    },
    secondPersonCredits: values.SECOND_PERSON_CREDITS,
    customersNeedSecondFactor: values.CUSTOMERS_NEED_SECOND_FACTOR,
    realPersonNeedsSecondFactor: values.REAL_PERSON_NEEDS_SECOND_FACTOR,
    supportCreditsPerDay: values.SUPPORT_CREDITS_PER_DAY,
    operatorCreditsPerDay: values.OPERATOR_CREDITS_PER_DAY,
    inputHosts: {
      autoApproved: values.AUTO_APPROVED_HOSTS ?? [],
      overrides: values.INPUT_HOST_OVERRIDES ?? {},
    },
    mediaStore: arrangeMediaStore(values, resolve(dataDir, 'media')),
    mediaDelivery: arrangeMediaDelivery(values, resolve(dataDir, 'media')),
    posters: posterTypes[values.POSTERS],
    mail: {
      smtpUrl: values.SMTP_URL,
      from: values.MAIL_FROM ?? senderOf(files.brand, new URL(server.urls.account).hostname),
    },
    traces: arrangeTraces(values),
    environment: (name) => env[name],
  };
}

/** Freezes a value and everything in it, except bytes, which cannot be frozen. */
function freezeDeep<T>(value: T): T {
  if (
    typeof value === 'object' &&
    value !== null &&
    !Object.isFrozen(value) &&
    !ArrayBuffer.isView(value)
  ) {
    Object.freeze(value);
    for (const member of Object.values(value)) freezeDeep<unknown>(member);
  }
  return value;
}
