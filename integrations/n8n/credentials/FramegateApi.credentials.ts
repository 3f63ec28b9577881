import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from 'n8n-workflow';

/** Address and key of a Framegate account; the test reads the balance and spends nothing. */
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
        'Address of the API, ending in /v1. It is shown on the page Settings > Public API of your account.',
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
        'Create a key on the page Settings > Public API of your account (its address ends in /settings/public-api). <a href="https://github.com/framegate/n8n-nodes-framegate?tab=readme-ov-file#credentials" target="_blank">More info</a>.',
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  };

  test: ICredentialTestRequest = {
    request: {
      baseURL:
        '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "").replace(/(\\/v1)?$/, "/v1") }}',
      url: '/credits/balance',
    },
  };
}
