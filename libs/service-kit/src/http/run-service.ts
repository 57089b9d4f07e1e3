/**
 * Starts a service the same way everywhere: logging, metrics, request ids, security headers,
 * error filters, messages over Redis, API description, signals. Shutdown: readiness goes false,
 * requests and jobs in flight finish, connections close, all within the configured time.
 */
import { maxHeaderSize } from 'node:http';
import { type DynamicModule, type ExceptionFilter, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { type FastifyError, type FastifyReply, type FastifyRequest } from 'fastify';
import { type HelmetOptions } from 'helmet';
import { type Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { describeConfig } from '../config/load-config.js';
import { type ServiceConfig } from '../config/service.config.js';
import { HealthModule, type HealthOptions } from '../health/health.module.js';
import { Readiness } from '../health/readiness.js';
import { createLogger, NestLogger } from '../logging/logger.js';
import { LoggingModule } from '../logging/logging.module.js';
import { ClaimedRedisServer } from '../messaging/redis-transport.js';
import { measureRequests, requestRecorders } from '../metrics/request-metrics.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { startMetricsServer } from '../metrics/metrics-server.js';
import { clientErrorAnswer, type ErrorBody } from './client-errors.js';
import { DirectRoutes } from './direct-routes.js';
import { DirectRoutesModule } from './direct-routes.module.js';
import { hearOutBodies, refuseUnknownAddresses } from './early-answers.js';
import { checkHttpRequirements, UNCHECKED_HTTP } from './http-requirements.js';
import { requestId } from './request-id.js';
import { logRequests, requestLogger } from './request-log.js';
import { API_HEADERS, securityHeadersOf, sendSecurityHeaders } from './security-headers.js';
import { answerUnroutable } from './unroutable.js';
import { VERSION, VersionController } from './version.controller.js';

const JSON_UTF8 = 'application/json; charset=utf-8';

export interface ServiceDefinition {
  name: string;
  config: ServiceConfig;
  module: DynamicModule | Type;
  health: HealthOptions;
  exceptionFilters: ExceptionFilter[];
  /** The body of errors that no filter sees, because the request was no HTTP; else Fastify's. */
  errorBody?: ErrorBody;
  /** The media type of `errorBody`; plain JSON when left out. */
  errorMediaType?: string;
  bodyBytesMax?: number;
  /** Whether it answers messages over Redis. */
  microservice?: boolean;
  /** Security headers; those of a JSON API when left out. */
  helmet?: HelmetOptions;
  openApi?: {
    title: string;
    description: string;
    /** Adds what the native Fastify routes answer; Nest sees only controllers. */
    extend?: (document: OpenAPIObject) => OpenAPIObject;
  };
  /** `configure` registers all body parsers: Nest adds none, so nothing wraps them. */
  ownBodyParsers?: boolean;
  /** Registers parsers, plugins, native routes; runs before the application is initialised. */
  configure?: (app: NestFastifyApplication) => void | Promise<void>;
}

export interface RunningService {
  app: NestFastifyApplication;
  close: () => Promise<void>;
}

const BODY_BYTES_MAX = 1024 * 1024;
const REQUEST_TIMEOUT_MS = 65_000;

@Module({})
class RootModule {}

/** Runs until a signal; on a failed start it says why in one line and exits with 1. */
export async function runService(definition: ServiceDefinition): Promise<void> {
  const logger = createLogger(definition.name, definition.config.logLevel);
  exitOnUnexpectedFaults(logger);
  try {
    const { close } = await startService(definition, logger);
    closeOnSignals(close, definition.config.shutdownTimeoutSeconds, logger);
  } catch (error) {
    logger.flush();
    process.stderr.write(`${definition.name} could not start: ${startFault(error)}\n`);
    process.exit(1);
  }
}

/** Starts a service in this process. `close` stops it; signals are the caller's to handle. */
export async function startService(
  definition: ServiceDefinition,
  logger: Logger,
): Promise<RunningService> {
  const { config } = definition;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });

  const app = await createApplication(definition, logger, registry);
  if (definition.microservice) {
    app.connectMicroservice({ strategy: new ClaimedRedisServer(config, logger) });
    await app.startAllMicroservices();
  }
  if (definition.openApi) describeApi(app, definition.openApi);
  await app.listen(config.port, config.host);
  const metrics = await startMetricsServer(registry, config.host, config.metricsPort);
  logger.info({ settings: describeConfig(config) }, 'settings');
  logger.info({ url: await app.getUrl(), metricsAddress: metrics.address() }, 'listening');

  const readiness = app.get(Readiness);
  return {
    app,
    close: async () => {
      readiness.isShuttingDown = true;
      app.get(DirectRoutes).close();
      await app.close();
      metrics.closeAllConnections();
      await new Promise((resolve) => metrics.close(resolve));
      logger.flush();
    },
  };
}

async function createApplication(
  definition: ServiceDefinition,
  logger: Logger,
  registry: Registry,
): Promise<NestFastifyApplication> {
  const helmetOptions = definition.helmet ?? API_HEADERS;
  const securityHeaders = securityHeadersOf(helmetOptions);
  const recorderOf = requestRecorders(registry);
  const log = requestLogger(logger);
  const directRoutes = new DirectRoutes({ securityHeaders, recorderOf, log });
  const { errorBody, errorMediaType = JSON_UTF8 } = definition;
  const adapter = new FastifyAdapter({
    serverFactory: directRoutes.serverFactory,
    bodyLimit: definition.bodyBytesMax ?? BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    genReqId: requestId,
    requestIdHeader: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      answerUnroutable(fastify, { error, request, reply }, { securityHeaders, recorderOf, log });
    },
    ...(errorBody && {
      clientErrorHandler: clientErrorAnswer(errorBody, {
        ...securityHeaders,
        'content-type': errorMediaType,
      }),
    }),
    skipMiddie: true,
    http: UNCHECKED_HTTP,
    // As long as an address can be: what a parameter may hold, its route says.
    routerOptions: { maxParamLength: maxHeaderSize },
  });
  const fastify = adapter.getInstance();
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  sendSecurityHeaders(fastify, helmetOptions);
  checkHttpRequirements(fastify);
  refuseUnknownAddresses(fastify);
  hearOutBodies(fastify);
  measureRequests(fastify, recorderOf);
  logRequests(fastify, logger, log);

  const root: DynamicModule = {
    module: RootModule,
    imports: [
      LoggingModule.forRoot(logger),
      DirectRoutesModule.forRoot(directRoutes),
      MetricsModule.forRoot(registry),
      HealthModule.forRoot(definition.health),
      definition.module,
    ],
    controllers: [VersionController],
  };
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
    forceCloseConnections: true,
    bodyParser: !definition.ownBodyParsers,
  });
  app.useGlobalFilters(...definition.exceptionFilters);
  await definition.configure?.(app);
  return app;
}

function describeApi(
  app: NestFastifyApplication,
  { title, description, extend }: NonNullable<ServiceDefinition['openApi']>,
): void {
  const builder = new DocumentBuilder().setTitle(title).setDescription(description);
  const document = SwaggerModule.createDocument(app, builder.setVersion(VERSION).build());
  SwaggerModule.setup('docs', app, extend ? extend(document) : document, {
    jsonDocumentUrl: 'openapi.json',
  });
}

function closeOnSignals(close: () => Promise<void>, timeoutSeconds: number, logger: Logger): void {
  let isClosing = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isClosing) return;
    isClosing = true;
    logger.info({ signal }, 'shutting down');
    const giveUp = setTimeout(() => {
      logger.error({ timeoutSeconds }, 'shutdown took too long');
      logger.flush();
      process.exit(1);
    }, timeoutSeconds * 1000);
    close().then(
      () => {
        clearTimeout(giveUp);
        process.exit(0);
      },
      (error: unknown) => {
        logger.error({ err: error }, 'shutdown failed');
        logger.flush();
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function exitOnUnexpectedFaults(logger: Logger): void {
  const exit = (error: unknown) => {
    logger.fatal({ err: error }, 'unexpected fault');
    logger.flush();
    process.exit(1);
  };
  process.on('uncaughtException', exit);
  process.on('unhandledRejection', exit);
}

function startFault(error: unknown): string {
  const { message, code, address, port } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  if (code === 'EADDRINUSE') return `port ${port} is taken (set PORT or METRICS_PORT to another)`;
  if (code === 'ECONNREFUSED') return `PostgreSQL does not answer at ${address}:${port}`;
  return message || (code ?? String(error));
}
