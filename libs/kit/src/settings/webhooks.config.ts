import { ArrayNotEmpty, Max, Min } from 'class-validator';
import { Env } from './load-config.js';
import { asBoolean, asInteger, asList } from './setting-parsers.js';

/** Where webhooks and other requests to addresses of tenants may lead. */
export class WebhooksConfig {
  @Env(
    'WEBHOOK_ALLOW_PRIVATE',
    'Allow webhooks to private, loopback and link-local addresses; for development',
    asBoolean,
  )
  allowPrivate = false;

  @Env('WEBHOOK_PORTS', 'Ports that webhooks may use, unless `WEBHOOK_ALLOW_PRIVATE`', (text) =>
    asList(text).map(asInteger),
  )
  @ArrayNotEmpty()
  @Min(1, { each: true })
  @Max(65_535, { each: true })
  ports: number[] = [80, 443];
}
