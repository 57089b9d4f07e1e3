/** A directory that benchmarks create over HTTP, and the settings of the API for it. */
import assert from 'node:assert/strict';

export const API_KEY = 'bench-api-key-0123456789abcdef';

export const DSYNC_ENV = {
  API_KEYS: API_KEY,
  EXTERNAL_URL: 'http://127.0.0.1',
  ENCRYPTION_KEYS: 'bench-encryption-key-0123456789abcdef',
};

export interface BenchDirectory {
  /** Path of its SCIM resources. */
  path: string;
  headers: Record<string, string>;
}

export async function newDirectory(url: string, webhookUrl?: string): Promise<BenchDirectory> {
  const response = await fetch(`${url}/api/v1/dsync`, {
    method: 'POST',
    headers: { authorization: `Api-Key ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      tenant: 'bench',
      product: 'bench',
      type: 'okta-scim-v2',
      webhook_url: webhookUrl,
    }),
  });
  assert.equal(response.status, 201, await response.clone().text());
  const { data } = (await response.json()) as { data: { scim: { path: string; secret: string } } };
  const { path, secret } = data.scim;
  const headers = {
    authorization: `Bearer ${secret}`,
    'content-type': 'application/scim+json; charset=utf-8',
  };
  return { path, headers };
}
