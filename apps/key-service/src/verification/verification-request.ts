import { type InputReader, isObject } from '@gatehouse/kit/input';
import { readCredential } from '../api/fields/credential.js';
import { type RequestInput } from '../api/input.js';
import {
  readAudience,
  readAudiences,
  readClientIp,
  readScopes,
  readTags,
} from '../api/fields/key-fields.js';
import { readLimitDemand } from '../api/fields/limit-fields.js';
import { type LimitDemand } from '../store/keys/rate-limit.types.js';

const BATCH_MAX = 100;

/** `use` reads and fills the cache, `refresh` only fills it, `bypass` does neither. */
export type CacheMode = 'use' | 'refresh' | 'bypass';

/** The audiences that a verification expects: a token must name one of them. */
export interface AudienceDemand {
  readonly names: readonly string[];
  /** Whether keys, which name no audience, are valid too. */
  readonly admitsKeys: boolean;
}

/** The demand of a caller that takes keys and tokens alike. */
export function demandFor(audience: string | undefined): AudienceDemand | undefined {
  return audience === undefined ? undefined : { names: [audience], admitsKeys: true };
}

/** Optional members are set to undefined explicitly to keep one hidden class (monomorphic). */
export interface VerificationRequest {
  readonly credential: string;
  readonly requiredScopes: readonly string[] | undefined;
  /** Undefined when only credentials without an audience are valid, unless AUDIENCE is set. */
  readonly audience: AudienceDemand | undefined;
  /** Undefined when every limit of the key costs 1. */
  readonly limits: LimitDemand | undefined;
  /** Tags of the verification, counted beside the tags of the key; undefined for none. */
  readonly tags: readonly string[] | undefined;
  readonly cache: CacheMode;
  /** The client's address; called only for keys that are bound to addresses. */
  readonly address: () => string | undefined;
}

/** The part of a verification request that is in the body. */
export interface VerifyInput extends Pick<
  VerificationRequest,
  'credential' | 'requiredScopes' | 'audience' | 'limits' | 'tags'
> {
  /** The address of the client, where its request did not come here itself. */
  readonly clientIp: string | undefined;
}

/** Reads one request. A body that contains only a credential skips the body reader. */
export function readVerifyRequest(json: unknown, input: RequestInput, path?: string): VerifyInput {
  const credential = plainCredentialOf(json);
  if (credential !== undefined) return plainInput(credential);
  const body = input.body(json, path);
  const request = { credential: readCredential(body), ...readDemands(body) };
  body.throwIfInvalid();
  return request;
}

/** The credential of a body that has no other member; undefined for every other body. */
export function plainCredentialOf(json: unknown): string | undefined {
  if (!isObject(json) || !isPlain(json)) return undefined;
  const { credential } = json;
  return typeof credential === 'string' && credential !== '' ? credential : undefined;
}

/** Reads 1 to 100 requests. */
export function readBatch(json: unknown, input: RequestInput): VerifyInput[] {
  const body = input.body(json);
  const requests = body.list('requests', { min: 1, max: BATCH_MAX });
  body.throwIfInvalid();
  return requests.map((item, index) => readVerifyRequest(item, input, `requests[${index}]`));
}

function plainInput(credential: string): VerifyInput {
  return {
    credential,
    requiredScopes: undefined,
    audience: undefined,
    limits: undefined,
    tags: undefined,
    clientIp: undefined,
  };
}

function isPlain(json: object): boolean {
  for (const name in json) if (name !== 'credential') return false;
  return true;
}

function readDemands(body: InputReader): Omit<VerifyInput, 'credential'> {
  const tags = readTags(body);
  return {
    requiredScopes: readScopes(body, 'required_scopes'),
    audience: readAudienceDemand(body),
    limits: readLimitDemand(body),
    tags: tags.length > 0 ? tags : undefined,
    clientIp: readClientIp(body),
  };
}

function readAudienceDemand(body: InputReader): AudienceDemand | undefined {
  const audience = readAudience(body);
  const names = readAudiences(body, 'expected_audiences');
  if (names.length === 0) return demandFor(audience);
  if (audience === undefined) return { names, admitsKeys: false };
  const fault = 'must not be given together with audience';
  return body.addViolation('expected_audiences', fault, undefined);
}
