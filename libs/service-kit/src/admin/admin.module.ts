import { type DynamicModule, Inject, Module, type Type } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type FastifyInstance } from 'fastify';
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
import { type AdminSurface, guardAdminRoutes } from './admin-gate.js';
import { VERDICT_OPTIONS, type VerdictOptions } from './remote-admin.verifier.js';

type Options = AdminOptions &
  AdminSurface & {
    verifier?: Type<CredentialVerifier>;
    /** What RemoteAdminVerifier needs. */
    verdicts?: VerdictOptions;
    /** Modules that export the dependencies of the verifier. */
    imports?: DynamicModule['imports'];
  };

@Module({})
export class AdminModule {
  /** The constructor runs before any route is registered; a lifecycle hook of Nest runs too late. */
  constructor(
    @Inject(ADMIN_OPTIONS) options: AdminOptions & AdminSurface,
    @Inject(LOGGER) logger: Logger,
    host: HttpAdapterHost,
    auth: AdminAuth,
  ) {
    guardAdminRoutes(host.httpAdapter.getInstance<FastifyInstance>(), auth, options);
    if (options.mode === 'none' && options.staticKeys.length === 0) {
      logger.warn('ADMIN_AUTH=none: the admin surface is open to everyone who reaches it');
    }
  }

  static forRoot({ verifier, verdicts, imports, ...options }: Options): DynamicModule {
    return {
      module: AdminModule,
      global: true,
      imports: imports ?? [],
      providers: [
        { provide: ADMIN_OPTIONS, useValue: options },
        ...(verdicts ? [{ provide: VERDICT_OPTIONS, useValue: verdicts }] : []),
        ...(verifier ? [{ provide: CREDENTIAL_VERIFIER, useClass: verifier }] : []),
        AdminAuth,
      ],
      exports: [AdminAuth],
    };
  }
}

/** The admin options that ADMIN_API_KEYS and ADMIN_AUTH set. */
export function adminOptionsOf(
  config: AdminServiceConfig,
): Pick<AdminOptions, 'staticKeys' | 'mode' | 'schemes'> {
  return {
    staticKeys: config.adminApiKeys,
    mode: config.adminAuth === 'none' ? 'none' : 'protected',
    schemes: ['bearer'],
  };
}
