import { type DynamicModule, Inject, Module, Optional, type Type } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type Logger } from 'pino';
import { DeniedCalls } from '../audit/denied-calls.js';
import { isLoopback } from '@gatehouse/kit/clients';
import { ErrorFilter } from '../errors/error.filter.js';
import { type ClientAddressOptions, ClientAddresses } from '@gatehouse/kit/clients';
import {
  ADMIN_OPTIONS,
  AdminAuth,
  AdminDeniedError,
  type AdminOptions,
  CREDENTIAL_VERIFIER,
  type CredentialVerifier,
} from './admin-auth.js';
import { AdminCalls } from './admin-calls.js';
import { LOGGER } from '../logging/logger.js';
import { type AdminSurface, type Denial, guardAdminRoutes } from './admin-gate.js';
import { type AdminConfig } from './admin.config.js';
import { VERDICT_OPTIONS, type VerdictOptions } from './remote-admin.verifier.js';

type Options = AdminOptions &
  AdminSurface & {
    verifier?: Type<CredentialVerifier>;
    /** Options of RemoteAdminVerifier. */
    verdicts?: VerdictOptions;
    /** Modules that export the dependencies of the verifier. */
    imports?: DynamicModule['imports'];
    /** How to find the addresses of clients. */
    clients: ClientAddressOptions & { readonly host: string };
  };

@Module({})
export class AdminModule {
  /** The constructor runs before any route is registered; a lifecycle hook of Nest runs too late. */
  constructor(
    @Inject(ADMIN_OPTIONS) options: Options,
    @Inject(LOGGER) logger: Logger,
    host: HttpAdapterHost,
    auth: AdminAuth,
    addresses: ClientAddresses,
    denied: DeniedCalls,
    errors: ErrorFilter,
    @Optional() @Inject(CREDENTIAL_VERIFIER) verifier?: CredentialVerifier,
  ) {
    const onDenied = (request: FastifyRequest, { status, caller }: Denial) => {
      const { method, routeOptions } = request;
      const details = { status, method, route: routeOptions.url };
      denied.note(addresses.callContext(request, caller ?? ''), details);
    };
    guardAdminRoutes(host.httpAdapter.getInstance<FastifyInstance>(), auth, options, onDenied);
    // Behind the guard, the operation itself may refuse an administrator.
    errors.listen((error, request) => {
      if (request.adminCaller === null || !(error instanceof AdminDeniedError)) return;
      onDenied(request, { status: error.httpStatus, caller: error.caller });
    });
    const { clients } = options;
    const hasIssuedKeys = verifier !== undefined;
    if (hasIssuedKeys && clients.clientIpSource === 'socket' && !isLoopback(clients.host)) {
      logger.warn('CLIENT_IP_SOURCE=socket: behind a proxy, keys bound to addresses are refused');
    }
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
        { provide: ClientAddresses, useValue: new ClientAddresses(options.clients) },
        AdminAuth,
        AdminCalls,
      ],
      exports: [AdminAuth, AdminCalls, ClientAddresses],
    };
  }
}

/** The admin options that ADMIN_API_KEYS and ADMIN_AUTH set. */
export function adminOptionsOf(
  config: AdminConfig,
): Pick<AdminOptions, 'staticKeys' | 'mode' | 'schemes'> {
  return {
    staticKeys: config.keys,
    mode: config.mode,
    schemes: ['bearer'],
  };
}
