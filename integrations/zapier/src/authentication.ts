import type { Authentication, Bundle, ZObject } from 'zapier-platform-core';
import { readBalance } from './balance.ts';
import { parseBaseUrl } from './baseUrl.ts';
import { defaultBaseUrl } from './builtWith.ts';
import { beginReading } from './step.ts';

/** Result of a valid connection; Zapier lists it by its label. */
interface ConnectionTest {
  label: string;
  available_credits: number;
}

/** Reads the balance, which is free and requires a valid key. */
async function test(z: ZObject, bundle: Bundle): Promise<ConnectionTest> {
  const { available } = await readBalance(beginReading(z, bundle));
  return { label: connectionLabel(z, bundle), available_credits: available };
}

/**
 * For example `Marketing (api.example.com)`; without a name, `api.example.com, connection 3f9a1c`: the last part
 * distinguishes keys without revealing them, being 24 bits of a digest.
 */
function connectionLabel(z: ZObject, { authData }: Bundle): string {
  const { host } = new URL(parseBaseUrl(authData['base_url']));
  const name = authData['connection_name']?.trim() ?? '';
  if (name !== '') return `${name} (${host})`;
  const key = (authData['api_key'] ?? '').trim();
  return `${host}, connection ${z.hash('sha256', `connection ${key}`).slice(0, 6)}`;
}

/** A key and the API's base URL, tested by reading the balance. */
export const authentication = {
  type: 'custom',
  test,
  connectionLabel: '{{label}}',
  fields: [
    {
      key: 'base_url',
      label: 'Base URL',
      type: 'string',
      required: true,
      ...(defaultBaseUrl !== '' && { default: defaultBaseUrl }),
      placeholder: 'https://api.example.com/v1',
      helpText:
        "The https address of your API. It ends in /v1. Your account's API keys page shows it.",
    },
    {
      key: 'api_key',
      label: 'API Key',
      type: 'password',
      required: true,
      helpText: keyHelp(defaultBaseUrl),
    },
    {
      key: 'connection_name',
      label: 'Connection Name',
      type: 'string',
      required: false,
      isNoSecret: true,
      helpText: 'A name of your choice that tells this connection apart from others in Zapier.',
    },
  ],
} satisfies Authentication;

/** Help on finding a key, with a link if the account site's URL is known. */
function keyHelp(baseUrl: string): string {
  const keysPage = "your account's API keys page";
  if (baseUrl === '') return `Create a key on ${keysPage}.`;
  const page = `${baseUrl.replace(/\/v1$/, '')}/settings/public-api`;
  return `Create a key on [${keysPage}](${page}).`;
}
