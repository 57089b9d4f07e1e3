/** What secrets look like: by the settings of the service, or what the service says about them. */
import { KeyRing } from '@gatehouse/crypto';
import { asList, Env, IsKeyRing, Secret } from '@gatehouse/kit/settings';
import { IsOptional, Validate } from 'class-validator';
import { type JsonApi } from '../import/http-json.js';
import { readSettings } from '../import/settings.js';

class ScanConfig {
  /** As of the key service. Without them, the checksums of secrets are not checked. */
  @Secret()
  @Env('HMAC_SECRETS', asList)
  @IsOptional()
  @Validate(IsKeyRing)
  hmacSecrets?: string[];

  @Env('SECRET_PREFIX', asList)
  secretPrefixes: string[] = [];

  @Env('RETIRED_PREFIXES', asList)
  retiredPrefixes: string[] = [];
}

export interface SecretFormat {
  readonly prefixes: readonly string[];
  readonly ring: KeyRing | undefined;
}

const DEFAULT_PREFIX = 'gate_sk';

/**
 * @param prefixes given by the caller, who wins
 * @param api knows the prefixes, if it is there
 */
export async function secretFormat(
  prefixes: readonly string[],
  api: JsonApi | undefined,
): Promise<SecretFormat> {
  const config = readSettings(ScanConfig);
  const ring = config.hmacSecrets && KeyRing.fromTexts(config.hmacSecrets);
  if (prefixes.length > 0) return { prefixes, ring };
  const own = [...config.secretPrefixes, ...config.retiredPrefixes];
  if (own.length > 0) return { prefixes: own, ring };
  return { prefixes: (await prefixesOf(api)) ?? [DEFAULT_PREFIX], ring };
}

async function prefixesOf(api: JsonApi | undefined): Promise<string[] | undefined> {
  if (api === undefined) return undefined;
  const { body } = await api.get('/v2alpha1/admin/apiKeys:leakPattern');
  return (body as { prefixes: string[] }).prefixes;
}
