/**
 * `keys.judge_administrator`: a service asks whether an issued key is an administrator of it. The
 * secret does not leave the service that received it.
 */
import { exactObject, type JsonSchema, TEXT, UUID } from './json-schema.js';

export interface JudgeAdministratorRequest {
  /** Binds the verdict to this request. */
  nonce: string;
  key_id: string;
  /** Base64 of the SHA-256 of the secret. */
  secret_sha256: string;
  /** The address of the client; left out if it is unknown. */
  client_ip?: string;
}

export interface JudgeAdministratorReply {
  /** A JWS that only the key service can sign. Its payload is an `AdministratorVerdict`. */
  verdict: string;
}

/**
 * `live`: the key is a live issued secret, and `scopes` says what it may administrate. `rate_limited`
 * (also: without credits) and `unavailable` are temporary.
 */
export const VERDICT_OUTCOMES = ['live', 'refused', 'rate_limited', 'unavailable'] as const;
export type VerdictOutcome = (typeof VERDICT_OUTCOMES)[number];

/** The claims of a verdict; `aud` is the service that asked. */
export interface AdministratorVerdict {
  iss: 'key-service';
  aud: string;
  /** The question as it was asked. */
  question: JudgeAdministratorRequest;
  iat: number;
  exp: number;
  outcome: VerdictOutcome;
  /** The key id; '' unless live. */
  sub: string;
  actor_id: string;
  /** The control scopes of the asking service that the key has. */
  scopes: readonly string[];
}

export const JUDGE_ADMINISTRATOR_REQUEST: JsonSchema = exactObject(
  { nonce: TEXT, key_id: UUID, secret_sha256: TEXT },
  { client_ip: TEXT },
);

export const JUDGE_ADMINISTRATOR_REPLY: JsonSchema = exactObject({ verdict: TEXT });
