/**
 * `npm run import -- talos`: API keys of Ory Talos. Its API has the settings of keys, and never their
 * secrets, so these come from a file; both are joined by `key_id`.
 */
import { asText, Env, Secret } from '@gatehouse/kit/settings';
import { Matches } from 'class-validator';
import { Interrupted, StackFault } from '#local-stack/fault.mjs';
import { type Progress } from '#local-stack/progress.mjs';
import { JsonApi } from '../http-json.js';
import { RecordReport } from '../record-report.js';
import { readRows, type Row } from '../rows.js';
import { readSettings } from '../settings.js';
import { adminApi } from '../targets.js';
import { type ImportRequest, isRefusal, type KeySettings, requestOf } from './key-row.js';

export interface TalosOptions {
  isApplied: boolean;
  keysFile: string | undefined;
  reportFile: string | undefined;
}

const BATCH = 200;
const PAGE = 500;
/** Keys between two lines about the progress. */
const SAID_EACH = 5_000;
const PREFIX = '/v2alpha1/admin';

class TalosConfig {
  @Env(
    'TALOS_URL',
    'The address of Talos; without it, the file has the settings of the keys too',
    asText,
  )
  @Matches(/^(https?:\/\/[^\s?#]+)?$/, { message: 'must be an http or https address' })
  url = '';

  @Secret()
  @Env('TALOS_API_KEY', 'One of its keys', asText)
  apiKey = '';
}

class HmacKeyConfig {
  @Secret()
  @Env('IMPORT_HMAC_KEY', 'The key with which an old system made its HMACs', asText)
  key = '';

  @Env(
    'IMPORT_HMAC_KEY_ENCODING',
    'How that key is written: `text`, `hex`, `base64` or `base64url`',
    asText,
  )
  @Matches(/^(text|hex|base64|base64url)$/, { message: 'must be text, hex, base64 or base64url' })
  encoding = 'text';
}

/** @returns the exit code */
export async function importTalos(
  options: TalosOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<number> {
  const { url, apiKey } = readSettings(TalosConfig);
  if (url === '' && options.keysFile === undefined) {
    throw new StackFault('Set TALOS_URL, or name a file: --keys FILE', undefined, 2);
  }
  const bearer: Record<string, string> = apiKey === '' ? {} : { Authorization: `Bearer ${apiKey}` };
  const known = url === '' ? new Map<string, KeySettings>() : await settingsOf(url, bearer, signal);
  return importRows(options, known, (row) => row, progress, signal);
}

/**
 * `npm run import -- keys` and `-- unkey`: a file of raw keys or hashes, with their settings.
 *
 * @param read makes a row of the file one with the columns of this service
 */
export async function importKeyFile(
  options: TalosOptions,
  read: (row: Row) => Row,
  progress: Progress,
  signal: AbortSignal,
): Promise<number> {
  if (options.keysFile === undefined) {
    throw new StackFault('Name the file of the keys: --keys FILE', undefined, 2);
  }
  return importRows(options, new Map(), read, progress, signal);
}

async function importRows(
  { isApplied, keysFile, reportFile }: TalosOptions,
  known: ReadonlyMap<string, KeySettings>,
  read: (row: Row) => Row,
  progress: Progress,
  signal: AbortSignal,
): Promise<number> {
  const hmac = readSettings(HmacKeyConfig);
  const hmacKey = hmac.key === '' ? undefined : hmac;
  const report = new RecordReport('key', !isApplied);
  const requests = new Map<string, ImportRequest>();
  const named = new Set<string>();
  const rows = keysFile === undefined ? [] : readRows(keysFile).map(read);
  for (const [index, row] of rows.entries()) {
    const keyId = typeof row.key_id === 'string' ? row.key_id : '';
    const record = keyId || `record ${index + 1}`;
    named.add(keyId);
    const result = requestOf(row, known.get(keyId), hmacKey);
    if (isRefusal(result)) report.conflict(record, result.reason, result.detail);
    else {
      const secret = result.raw_key ?? JSON.stringify(result.hash);
      if (requests.has(secret)) report.conflict(record, 'key_twice', 'in the file');
      else requests.set(secret, { ...result, record });
    }
  }
  for (const [keyId, { status }] of known) {
    if (named.has(keyId) || status !== 'KEY_STATUS_ACTIVE') continue;
    report.conflict(keyId, 'no_secret', 'only its settings are known: its owner needs a new key');
  }
  const target = adminApi('key-service', signal);
  await importAll(target, [...requests.values()], report, progress, signal);
  return report.print(progress, reportFile);
}

async function settingsOf(
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Map<string, KeySettings>> {
  const api = new JsonApi(url, headers, signal);
  const known = new Map<string, KeySettings>();
  for (const [path, list] of [
    ['issuedApiKeys', 'issued_api_keys'],
    ['importedApiKeys', 'imported_api_keys'],
  ] as const) {
    for (let token = ''; ;) {
      const query = new URLSearchParams({ page_size: String(PAGE), page_token: token });
      const { body } = await api.get(`${PREFIX}/${path}?${query.toString()}`);
      const page = (body ?? {}) as Record<string, unknown>;
      for (const key of (page[list] ?? []) as KeySettings[]) known.set(key.key_id, key);
      token = typeof page.next_page_token === 'string' ? page.next_page_token : '';
      if (token === '') break;
    }
  }
  return known;
}

interface BatchResult {
  index: number;
  imported_api_key?: { key_id: string };
  error_code?: string;
  error_message?: string;
}

async function importAll(
  api: JsonApi,
  requests: readonly ImportRequest[],
  report: RecordReport,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  for (let at = 0; at < requests.length; at += BATCH) {
    if (signal.aborted) throw new Interrupted();
    if (at > 0 && at % SAID_EACH === 0) progress.say(`  … ${at} of ${requests.length} keys`);
    const batch = requests.slice(at, at + BATCH);
    if (await importBatch(api, batch, report)) continue;
    for (const request of batch) await importBatch(api, [request], report);
  }
}

/** The service answers with an error, without a reason for each key, if it accepts none of a batch. */
const REFUSALS = [400, 409, 412, 422];

/** @returns false if none of several was taken */
async function importBatch(
  api: JsonApi,
  batch: readonly ImportRequest[],
  report: RecordReport,
): Promise<boolean> {
  const requests = batch.map((request) => ({ ...request, record: undefined }));
  const path = `${PREFIX}/importedApiKeys:batchCreate`;
  const { status, body } = await api.post(
    path,
    { requests, validate_only: report.isDryRun },
    REFUSALS,
  );
  if (REFUSALS.includes(status)) {
    if (batch.length > 1) return false;
    const { error } = (body ?? {}) as { error?: { message?: string } };
    const record = batch[0]?.record ?? '';
    if (status === 409) report.unchanged += 1;
    else report.conflict(record, 'refused', error?.message);
    return true;
  }
  const { results = [] } = (body ?? {}) as { results?: BatchResult[] };
  for (const { index, imported_api_key, error_code = '', error_message = '' } of results) {
    const record = batch[index]?.record ?? '';
    if (imported_api_key) {
      report.imported += 1;
      if (!report.isDryRun) report.ids[record] = imported_api_key.key_id;
    } else if (error_code.endsWith('ALREADY_EXISTS')) report.unchanged += 1;
    else report.conflict(record, 'refused', error_message);
  }
  return true;
}
