/** The admin APIs that tools use. */
import { asText, Env, Secret } from '@gatehouse/kit/settings';
import { Matches } from 'class-validator';
import { StackFault } from '#local-stack/fault.mjs';
import { stackLayout } from '#local-stack/layout.mjs';
import { readStackRecord } from '#local-stack/state.mjs';
import { JsonApi } from './http-json.js';
import { readSettings } from './settings.js';

const HTTP = /^(https?:\/\/[^\s?#]+)?$/;

class AdminApisConfig {
  @Env('KEY_SERVICE_URL', 'The key service; that of the running local stack if unset', asText)
  @Matches(HTTP, { message: 'must be an http or https address' })
  keysUrl = '';

  @Secret()
  @Env('KEY_SERVICE_API_KEY', 'One of its `ADMIN_API_KEYS`', asText)
  keysApiKey = '';

  @Env('IDENTITY_FORMS_URL', 'Identity forms; that of the running local stack if unset', asText)
  @Matches(HTTP, { message: 'must be an http or https address' })
  formsUrl = '';

  @Secret()
  @Env('IDENTITY_FORMS_API_KEY', 'One of its `ADMIN_API_KEYS`', asText)
  formsApiKey = '';
}

const APIS = {
  'key-service': { url: 'keysUrl', key: 'keysApiKey', local: 'keysAdminApiKey' },
  'identity-forms': { url: 'formsUrl', key: 'formsApiKey', local: 'formsAdminApiKey' },
} as const;

/** The admin API of a service: that of the environment, else of the running local stack. */
export function adminApi(
  service: keyof typeof APIS,
  signal: AbortSignal,
  purpose = 'import into',
): JsonApi {
  const config = readSettings(AdminApisConfig);
  const { url, key, local } = APIS[service];
  const bearer = (text: string): Record<string, string> =>
    text === '' ? {} : { Authorization: `Bearer ${text}` };
  if (config[url] !== '') return new JsonApi(config[url], bearer(config[key]), signal);
  const record = readStackRecord(stackLayout());
  const address = record?.services[service]?.url;
  if (!record || address === undefined) {
    const name = service.toUpperCase().replace('-', '_');
    throw new StackFault(
      `There is no ${service} to ${purpose}`,
      `Start the local stack (npm start), or set ${name}_URL and ${name}_API_KEY.`,
      78,
    );
  }
  return new JsonApi(address, bearer(record.credentials[local]), signal);
}
