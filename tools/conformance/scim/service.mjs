// @ts-check
import { randomBytes } from 'node:crypto';
import { stackLayout } from '../../local-stack/layout.mjs';
import { readStackRecord } from '../../local-stack/state.mjs';
import { withOwnService } from '../own-service.mjs';

/**
 * The service that HTTP cases are sent to.
 *
 * @typedef {{ url: string, apiKey: string, origin: string }} Service
 */

/**
 * Runs the cases against the local stack when one is up, else against a dsync-api of their own.
 *
 * @template T
 * @param {(service: Service) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withService(work) {
  const record = readStackRecord(stackLayout());
  const url = record?.services['dsync-api']?.url;
  if (record !== undefined && url !== undefined && (await answers(url))) {
    return work({
      url,
      apiKey: record.credentials.dsyncApiKey,
      origin: `the running stack, ${url}`,
    });
  }
  const apiKey = `conformance-${randomBytes(18).toString('hex')}`;
  return withOwnService(
    'dsync-api',
    (ownUrl) => ({
      EXTERNAL_URL: ownUrl,
      API_KEYS: apiKey,
      ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
      WEBHOOK_ALLOW_PRIVATE: 'true',
    }),
    (ownUrl) => work({ url: ownUrl, apiKey, origin: `a service of its own, ${ownUrl}` }),
  );
}

/** @param {string} url */
async function answers(url) {
  try {
    return (await fetch(`${url}/health/ready`)).ok;
  } catch {
    return false;
  }
}
