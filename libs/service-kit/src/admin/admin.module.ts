import { type DynamicModule, Inject, Module, type Type } from '@nestjs/common';
import { type Logger } from 'pino';
import { type AdminServiceConfig } from '../config/service.config.js';
import {
  ADMIN_OPTIONS,
  AdminAuth,
  type AdminOptions,
  CREDENTIAL_VERIFIER,
  type CredentialVerifier,
} from './admin-auth.js';
import { LOGGER } from '../logging/logger.js';
import { AdminGuard } from './admin.guard.js';

type Options = AdminOptions & {
  verifier?: Type<CredentialVerifier>;
  /** Modules that export what the verifier needs. */
  imports?: DynamicModule['imports'];
};

@Module({})
export class AdminModule {
  constructor(@Inject(ADMIN_OPTIONS) options: AdminOptions, @Inject(LOGGER) logger: Logger) {
    if (options.mode === 'none' && options.staticKeys.length === 0) {
      logger.warn('ADMIN_AUTH=none: the admin surface is open to everyone who reaches it');
    }
  }

  static forRoot({ verifier, imports, ...options }: Options): DynamicModule {
    return {
      module: AdminModule,
      global: true,
      imports: imports ?? [],
      providers: [
        { provide: ADMIN_OPTIONS, useValue: options },
        ...(verifier ? [{ provide: CREDENTIAL_VERIFIER, useClass: verifier }] : []),
        AdminAuth,
        AdminGuard,
      ],
      exports: [AdminAuth, AdminGuard],
    };
  }
}

/** Static keys and mode of a service whose admin surface follows ADMIN_API_KEYS and ADMIN_AUTH. */
export function adminOptionsOf(
  config: AdminServiceConfig,
): Pick<AdminOptions, 'staticKeys' | 'mode' | 'schemes'> {
  return {
    staticKeys: config.adminApiKeys,
    mode: config.adminAuth === 'none' ? 'none' : 'protected',
    schemes: ['bearer'],
  };
}
