import type { Authentication, Bundle, ZObject } from 'zapier-platform-core';
import { readBaseUrl } from './baseUrl.ts';
import { defaultBaseUrl } from './builtWith.ts';
import { call } from './call.ts';
import { beginReading } from './step.ts';

/** What the label is made of. */
interface Tested {
  host: string;
  available_credits: number;
  mark: string;
}

/** Reads the balance: free, and only a good key can. */
async function test(z: ZObject, bundle: Bundle): Promise<Tested> {
  const { data } = await call(beginReading(z, bundle), 'balance', {
    method: 'GET',
    path: '/credits/balance',
  });
  const available = data?.['available'];
  if (data?.['object'] !== 'credit_balance' || typeof available !== 'number') {
    throw new z.errors.Error(
      'The Base URL does not lead to the API. Check the Base URL of this connection.',
      'base_url',
      400,
    );
  }
  return {
    host: new URL(readBaseUrl(bundle.authData['base_url'])).host,
    available_credits: available,
    // Tells keys apart and gives nothing of them away: 24 bits of a digest.
    mark: z.hash('sha256', `connection ${(bundle.authData['api_key'] ?? '').trim()}`).slice(0, 6),
  };
}

/** Such as `Marketing (api.example.com)`; without a name, `api.example.com, connection 3f9a1c`. */
async function connectionLabel(_z: ZObject, bundle: Bundle): Promise<string> {
  const { host, mark } = bundle.inputData as unknown as Tested;
  const name = bundle.authData['connection_name']?.trim() ?? '';
  return name === '' ? `${host}, connection ${mark}` : `${name} (${host})`;
}

/** A key and the address of the API, tested on the balance. */
export const authentication = {
  type: 'custom',
  test,
  connectionLabel,
  fields: [
    {
      key: 'base_url',
      label: 'Base URL',
      type: 'string',
      required: true,
      ...(defaultBaseUrl !== '' && { default: defaultBaseUrl }),
      placeholder: 'https://api.example.com/v1',
      helpText: 'The https address of your API, which ends in /v1.',
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
      helpText: 'A name of your choice, which tells several accounts apart in Zapier.',
    },
  ],
} satisfies Authentication;

/** Where to find a key; a link where the address of the account site is known. */
function keyHelp(baseUrl: string): string {
  const where = 'under Settings, Public API';
  if (baseUrl === '') return `Create a key in the account site of your API, ${where}.`;
  const page = `${baseUrl.replace(/\/v1$/, '')}/settings/public-api`;
  return `Create a key in [your account settings](${page}), ${where}.`;
}
