import {
  asBoolean,
  asList,
  asText,
  Env,
  IsKeyRing,
  Secret,
  ServiceConfig,
} from '@gatehouse/service-kit';
import { Matches, MinLength, Validate } from 'class-validator';

/** Settings of the directory sync API; docs/directory-sync.md explains each. */
export class DsyncApiConfig extends ServiceConfig {
  /** The address at which identity providers reach this service; SCIM endpoints start with it. */
  @Env('EXTERNAL_URL', asText)
  @Matches(/^https?:\/\/[^\s/?#]+(\/[^\s?#]*)?$/, {
    message: 'must be an http or https address without query and fragment',
  })
  externalUrl = '';

  @Secret()
  @Env('ENCRYPTION_KEYS', asList)
  @Validate(IsKeyRing)
  encryptionKeys: string[] = [];

  /** Keys of the management API. Live keys of the key service with dsync:admin work too. */
  @Secret()
  @Env('API_KEYS', asList)
  @MinLength(24, { each: true, message: 'each key must have at least 24 characters' })
  apiKeys: string[] = [];

  @Env('WEBHOOK_ALLOW_PRIVATE', asBoolean)
  webhookAllowPrivate = false;
}
