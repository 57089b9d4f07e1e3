/** Asks Gatehouse about a credential: one POST apiKeys:verify. */
import { type Connection, errorOf, GatehouseError } from '../connection/index.js';
import { addressBits, UNSPECIFIED } from './addresses.js';
import { type Admission, type Caller } from './caller.js';
import { type ProtectOptions } from './options.js';
import { type Reason, type RefusalCode } from './refusal.js';

/** Members of `VerifyApiKeyResponse`. */
interface Verification {
  readonly is_valid?: boolean;
  readonly key_id: string;
  readonly actor_id: string;
  readonly scopes: readonly string[];
  readonly audiences: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly visibility: string;
  readonly expire_time: string | null;
  readonly error_code?: RefusalCode;
  readonly error_message?: string;
}

const PASSED_ON = ['ratelimit', 'ratelimit-policy', 'retry-after'];

/** @returns a function that rejects when Gatehouse does not say whether the credential is valid */
export function verifier(
  connection: Connection,
  { scopes, audience, limits, cost, tags }: ProtectOptions,
): (credential: string, address: string | undefined) => Promise<Admission | Reason> {
  const demands = {
    required_scopes: scopes,
    audience,
    limits: limits && Object.entries(limits).map(([name, units]) => ({ name, cost: units })),
    credits: cost === undefined ? undefined : { cost },
    tags,
  };
  return async (credential, address = UNSPECIFIED) => {
    const isAddress = addressBits(address) !== undefined;
    const client_ip = isAddress ? address : UNSPECIFIED;
    const response = await connection.send({
      method: 'POST',
      path: '/v2alpha1/admin/apiKeys:verify',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...demands, credential, client_ip }),
    });
    if (!response.ok) throw await errorOf(response);
    return outcomeOf((await response.json()) as Verification, passedOn(response.headers));
  };
}

function outcomeOf(result: Verification, headers: Admission['headers']): Admission | Reason {
  const { is_valid: isValid, error_code: code, error_message: message = '' } = result;
  if (isValid === true) return { caller: callerOf(result), headers };
  if (code === undefined || code === 'VERIFICATION_ERROR_INTERNAL') {
    const fault = message || 'There is no result. Is this the address of Gatehouse?';
    throw new GatehouseError({ status: 503, message: fault, code });
  }
  return { code, detail: message, headers };
}

function callerOf(result: Verification): Caller {
  return {
    keyId: result.key_id,
    actorId: result.actor_id,
    scopes: result.scopes,
    audiences: result.audiences,
    metadata: result.metadata,
    visibility: result.visibility,
    expireTime: result.expire_time,
  };
}

function passedOn(headers: Headers): Admission['headers'] {
  const passed: Record<string, string> = {};
  for (const name of PASSED_ON) {
    const value = headers.get(name);
    if (value !== null) passed[name] = value;
  }
  return passed;
}
