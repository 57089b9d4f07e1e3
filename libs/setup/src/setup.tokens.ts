import { type RedisConfig } from '@gatehouse/kit/settings';
import { type ReturnUrlsConfig, type ThemeConfig } from '@gatehouse/pages';
import { type Setup } from './links/create-setup.js';

export type { Setup };

/** Injection token of the services of setup links. */
export const SETUP = Symbol('SETUP');
/** Injection token of SetupConfig. */
export const SETUP_CONFIG = Symbol('SETUP_CONFIG');

/** The settings of a service with setup pages. */
export interface SetupConfig {
  readonly externalUrl: string;
  readonly encryptionKeys: readonly string[];
  readonly redis: Pick<RedisConfig, 'namespace'>;
  readonly returnUrls: ReturnUrlsConfig;
  /** Where administrators consent, which browsers must allow as the target of a form. */
  readonly workspace: { readonly googleAuthUrl: string; readonly entraLoginUrl: string };
  readonly theme: ThemeConfig;
}
