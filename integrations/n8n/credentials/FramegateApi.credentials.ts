import type {
  ICredentialDataDecryptedObject,
  ICredentialTestRequest,
  ICredentialType,
  IHttpRequestOptions,
  INodeProperties,
} from 'n8n-workflow';
import { parseApiKey } from '../nodes/Framegate/api/apiKey';
import { parseBaseUrl } from '../nodes/Framegate/api/baseUrl';

/** The test's message for a status, replacing the status' own name. */
const statusMessages: Readonly<Record<number, string>> = {
  301: "This Base URL redirects to another address. Copy it again from your account's API keys page.",
  302: "This Base URL redirects to another address. Copy it again from your account's API keys page.",
  401: "This API key is not valid. Copy it again, or create a new one on your account's API keys page.",
  403: 'This account is suspended. Contact support.',
  404: "Framegate was not found at this Base URL. Copy it again from your account's API keys page; it ends in /v1.",
  429: 'Too many requests. Wait a minute, then test again.',
  502: 'The server at this Base URL cannot reach Framegate right now. Try again in a minute.',
  503: 'Framegate is temporarily unavailable. Try again in a minute.',
};

/**
 * Refuses to sign a request to another server, for example from the HTTP Request node.
 * @param base The base URL of the credential.
 * @throws RangeError
 */
function requireOwnServer(base: string, request: IHttpRequestOptions): void {
  // The HTTP Request node gives its URL as `uri`.
  const { uri } = request as { uri?: string };
  const { origin } = new URL(request.url || uri || '', request.baseURL ?? base);
  if (origin === new URL(base).origin) return;
  throw new RangeError(`The key of this credential is only sent to its Base URL, not to ${origin}`);
}

/** Base URL and key of a Framegate account; the test reads the balance and spends nothing. */
export class FramegateApi implements ICredentialType {
  name = 'framegateApi';

  displayName = 'Framegate API';

  icon = {
    light: 'file:../icons/framegate.svg',
    dark: 'file:../icons/framegate.dark.svg',
  } as const;

  documentationUrl =
    'https://github.com/framegate/n8n-nodes-framegate?tab=readme-ov-file#credentials';

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'e.g. https://media.example.com/v1',
      description:
        "Address of the API, ending in /v1. It is shown on your account's API keys page. It begins with https://; plain http is for localhost and private networks only.",
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      placeholder: 'e.g. fg_live_...',
      description:
        'Create a key on your account\'s API keys page (its address ends in /settings/public-api). <a href="https://github.com/framegate/n8n-nodes-framegate?tab=readme-ov-file#credentials" target="_blank">More info</a>.',
    },
  ];

  /**
   * Adds the key to a request.
   * @throws RangeError if there is no key, it may not be sent to the base URL, or the request goes elsewhere.
   */
  authenticate = async (
    { baseUrl, apiKey }: ICredentialDataDecryptedObject,
    request: IHttpRequestOptions,
  ): Promise<IHttpRequestOptions> => {
    requireOwnServer(parseBaseUrl(baseUrl), request);
    const authorization = { Authorization: `Bearer ${parseApiKey(apiKey)}` };
    return { ...request, headers: { ...request.headers, ...authorization } };
  };

  test: ICredentialTestRequest = {
    request: {
      baseURL:
        '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "").replace(/(\\/v1)?$/, "/v1") }}',
      url: '/credits/balance',
      disableFollowRedirect: true,
    },
    rules: [
      ...Object.entries(statusMessages).map(([status, message]) => ({
        type: 'responseCode',
        properties: { value: Number(status), message },
      })),
      {
        type: 'responseSuccessBody',
        properties: {
          key: 'object',
          value: undefined,
          message:
            "Something other than Framegate responds at this Base URL. Copy it again from your account's API keys page; it ends in /v1.",
        },
      },
    ] as NonNullable<ICredentialTestRequest['rules']>,
  };
}
