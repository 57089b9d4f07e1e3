import { randomBytes } from 'node:crypto';
import { type Answer } from '@gatehouse/testing';
import { type KeyServiceStack } from './key-stack.js';
import { AUDIENCE, MAIN } from './test-issuer.js';

const TYPE = 'urn:ietf:params:oauth:token-type:';
export const KEY_TYPE = 'urn:gatehouse:params:oauth:token-type:api-key';
export const JWT_TYPE = `${TYPE}jwt`;
export const GRANT = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** Tests trust loopback addresses; each request may name a client of its own. */
export const EXCHANGE_SETTINGS = {
  ISSUER: 'https://keys.example.com',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  CLIENT_IP_SOURCE: 'x-real-ip',
  TRUSTED_PROXIES: '127.0.0.0/8',
  ADMIN_AUTH: 'none',
};

/** An address that no other request has, so that refusals do not add up. */
export const newClient = () => ({ 'x-real-ip': `10.${[...randomBytes(3)].join('.')}` });

interface ExchangeOptions {
  replica?: number;
  headers?: Record<string, string>;
}
type Parameters = Record<string, string> | [string, string][];

/** Posts a form to the token endpoint. */
export function postForm(
  service: KeyServiceStack,
  parameters: Parameters,
  { replica = 0, headers = newClient() }: ExchangeOptions = {},
): Promise<Answer> {
  const http = service.replicas[replica]?.http;
  if (!http) throw new Error('there is no such replica');
  return http.send('POST', '/oauth/token', { headers, body: new URLSearchParams(parameters) });
}

/** Exchanges a token of another issuer. */
export function exchange(
  service: KeyServiceStack,
  subject_token: string,
  more: Record<string, string> = {},
  options: ExchangeOptions = {},
): Promise<Answer> {
  const form = { grant_type: GRANT, subject_token, subject_token_type: JWT_TYPE, ...more };
  return postForm(service, form, options);
}

export function exchangeKey(
  service: KeyServiceStack,
  secret: string,
  more: Record<string, string> = {},
  options: ExchangeOptions = {},
): Promise<Answer> {
  return exchange(service, secret, { subject_token_type: KEY_TYPE, ...more }, options);
}

/** Creates a trust rule for the main branch of a repository. */
export async function trust(
  service: KeyServiceStack,
  issuer: string,
  fields: Record<string, unknown> = {},
) {
  const { status, body } = await service.admin('POST', '/trustRules', {
    name: 'Deployments',
    actor_id: 'deployer',
    scopes: ['orders:read', 'orders:write'],
    issuer,
    audience: AUDIENCE,
    subject_pattern: MAIN,
    ...fields,
  });
  if (status !== 201) throw new Error(`trustRules answered ${status}: ${JSON.stringify(body)}`);
  return body as Record<string, string> & { key_id: string };
}

/** The status and the error of an answer. */
export const errorsOf = ({ status, body }: Answer): [number, string] => [
  status,
  body.error as string,
];
