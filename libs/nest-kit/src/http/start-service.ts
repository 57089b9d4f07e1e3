/**
 * Starts a service the same way everywhere: logging, metrics, request ids, security headers,
 * error filters, messages over Redis, API description, signals. Shutdown: the service reports that it
 * is not ready, serves on for the drain time, stops listening, finishes requests and jobs in flight,
 * and closes its connections, all within the configured times.
 */
import { maxHeaderSize } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapStatistics } from 'node:v8';
import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { type HelmetOptions } from 'helmet';
import { type Logger } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { describeConfig } from '@gatehouse/kit/settings';
import { type ServiceConfig } from '../config/service.config.js';
import { setCell } from '@gatehouse/kit/ids';
import { ErrorFilter } from '../errors/error.filter.js';
import { type ErrorProtocol, PLAIN_ERRORS } from '../errors/error-protocol.js';
import { ErrorsModule } from '../errors/errors.module.js';
import { HealthModule, type HealthOptions } from '../health/health.module.js';
import { Shutdown } from '../health/shutdown.js';
import { createLogger, NestLogger } from '../logging/logger.js';
import { LoggingModule } from '../logging/logging.module.js';
import { ClaimedRedisServer } from '../messaging/redis-transport.js';
import { SealedMessages } from '../messaging/sealed-messages.js';
import { requestMetrics } from '../metrics/request-metrics.js';
import { MetricsModule } from '../metrics/metrics.module.js';
import { startMetricsServer } from '../metrics/metrics-server.js';
import { BodyBudget } from './body-budget.js';
import { registerBuildInfo } from './build-info.js';
import { type ClientAddressOptions, ClientAddresses } from '@gatehouse/kit/clients';
import { clientErrorAnswer } from './client-errors.js';
import { DirectRoutes } from './direct-routes.js';
import { DirectRoutesModule } from './direct-routes.module.js';
import { registerGlobalHooks } from './global-hooks.js';
import { HttpDrain } from './http-drain.js';
import { UNCHECKED_HTTP } from './http-requirements.js';
import { acceptJsonOnly } from './json-body.js';
import { type NativeRoutes, registerNativeRoutes } from './native-routes.js';
import { requestId } from './request-id.js';
import { requestLog } from './request-log.js';
import { RequestSteps } from './request-steps.js';
import { RouteTable } from './route-table.js';
import { API_HEADERS, securityHeaders } from './security-headers.js';
import { serverFactory } from './server-factory.js';
import { type StandIn } from './stand-in.js';
import { type CommittedDescription, serveDescription } from '../openapi/description.routes.js';
import { stopTracing } from '@gatehouse/kit/tracing';
import { answerUnroutable } from './unroutable.js';
import { VersionController } from './version.controller.js';

/** How often the lag of the event loop is looked at. Every 10 ms, as by default, takes 0.4 % of a core. */
const LAG_SAMPLE_MS = 100;

export interface ServiceDefinition {
  name: string;
  config: ServiceConfig;
  module: DynamicModule | Type;
  health: HealthOptions;
  /** How the request log and the budget of bodies find the addresses of clients behind proxies. */
  clients?: ClientAddressOptions;
  /** The format of errors; plain JSON by default. */
  errors?: ErrorProtocol;
  /** Leaves HEAD out of the `Allow` of a 405. */
  omitHeadFromAllow?: boolean;
  bodyBytesMax?: number;
  /** How long a request may take to arrive, 65 s by default. */
  requestTimeoutMs?: number;
  /** Whether the service handles messages over Redis. */
  microservice?: boolean;
  /** Security headers; those of a JSON API by default. */
  helmet?: HelmetOptions;
  /** The document of /openapi.json and /docs. */
  description?: CommittedDescription;
  /** Registers the body parsers of controllers; `acceptJsonOnly` by default. */
  bodyParsers?: (fastify: FastifyInstance) => void;
  /** Routes outside of controllers. */
  nativeRoutes?: Type<NativeRoutes>[];
  /** Registers hooks and plugins; runs before any route is registered. */
  configure?: (fastify: FastifyInstance) => void;
}

export interface RunningService {
  app: NestFastifyApplication;
  /** Stops the service. `urgent` skips the drain time. */
  close: (options?: { urgent?: boolean }) => Promise<void>;
}

const MEBIBYTE = 1024 * 1024;
const BODY_BYTES_MAX = MEBIBYTE;
/** How long a request may take to arrive. */
const REQUEST_TIMEOUT_MS = 65_000;
/** How many bytes of the heap one byte of a request body may take, with a margin for the rest. */
const HEAP_PER_BODY_BYTE = 16;
/** Limit on the request bodies that the process holds at once. */
const BODY_BUDGET_MEBIBYTES = Math.max(
  1,
  Math.floor(getHeapStatistics().heap_size_limit / HEAP_PER_BODY_BYTE / MEBIBYTE),
);

@Module({})
class RootModule {}

/**
 * Starts a service in this process. `close` stops it; the caller handles signals.
 *
 * @param standIn has the port of the service until it listens
 */
export async function startService(
  definition: ServiceDefinition,
  logger: Logger,
  standIn?: StandIn,
): Promise<RunningService> {
  const { config } = definition;
  setCell(config.database.cell);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_SAMPLE_MS });
  registerBuildInfo(registry, definition.name);

  const drain = new HttpDrain();
  const app = await createApplication(definition, logger, registry, drain);
  if (definition.microservice) {
    const strategy = new ClaimedRedisServer(config.redis, app.get(SealedMessages), logger);
    // Without this, messages would not go through the error filter.
    app.connectMicroservice({ strategy }, { inheritAppConfig: true });
    await app.startAllMicroservices();
  }
  await app.init();
  await standIn?.close();
  await app.listen(config.port, config.host);
  const metrics = await startMetricsServer(registry, config.host, config.metricsPort);
  logger.info({ settings: describeConfig(config) }, 'settings');
  logger.info({ url: await app.getUrl(), metricsAddress: metrics.address() }, 'listening');

  return {
    app,
    close: async ({ urgent = false } = {}) => {
      const shutdown = app.get(Shutdown);
      const drainMs = urgent ? 0 : config.drainTimeSeconds * 1000;
      shutdown.begin(drainMs, config.shutdownTimeoutSeconds * 1000);
      await sleep(drainMs);
      const workMs = shutdown.workMsLeft;
      const areAnswered = await drain.close(workMs, Math.min(drainMs, workMs / 2));
      if (!areAnswered) logger.warn('requests in flight were cut off');
      await app.close();
      metrics.closeAllConnections();
      await new Promise((resolve) => metrics.close(resolve));
      await stopTracing(shutdown.msLeft);
      logger.flush();
    },
  };
}

async function createApplication(
  definition: ServiceDefinition,
  logger: Logger,
  registry: Registry,
  drain: HttpDrain,
): Promise<NestFastifyApplication> {
  const addresses = definition.clients && new ClientAddresses(definition.clients);
  const steps = new RequestSteps({
    headers: securityHeaders(definition.helmet ?? API_HEADERS),
    observers: [requestMetrics(registry), requestLog(logger, addresses)],
  });
  const directRoutes = new DirectRoutes(steps, drain);
  const { errors = PLAIN_ERRORS } = definition;
  const routes = new RouteTable({ omitHead: definition.omitHeadFromAllow });
  const adapter = new FastifyAdapter({
    serverFactory: serverFactory(drain, directRoutes),
    bodyLimit: definition.bodyBytesMax ?? BODY_BYTES_MAX,
    requestTimeout: definition.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    genReqId: requestId,
    requestIdHeader: false,
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      answerUnroutable(fastify, { error, request, reply }, steps);
    },
    clientErrorHandler: clientErrorAnswer(errors, steps),
    skipMiddie: true,
    http: UNCHECKED_HTTP,
    // The maximum length of a URL; routes limit their parameters themselves.
    routerOptions: { maxParamLength: maxHeaderSize },
  });
  const fastify = adapter.getInstance();
  const bodies = new BodyBudget({ mebibytesMax: BODY_BUDGET_MEBIBYTES, addresses });
  registerGlobalHooks(fastify, { steps, routes, drain, bodies });

  const filter = new ErrorFilter(errors, logger, routes);
  const root = rootModule(definition, { logger, filter, directRoutes, registry });
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
    bodyParser: false,
  });
  const { bodyParsers = acceptJsonOnly, configure, nativeRoutes = [] } = definition;
  configure?.(fastify);
  bodyParsers(fastify);
  if (definition.description) serveDescription(fastify, definition.description);
  registerNativeRoutes(app, nativeRoutes);
  return app;
}

interface RootParts {
  logger: Logger;
  filter: ErrorFilter;
  directRoutes: DirectRoutes;
  registry: Registry;
}

function rootModule(
  { health, module }: ServiceDefinition,
  { logger, filter, directRoutes, registry }: RootParts,
): DynamicModule {
  return {
    module: RootModule,
    imports: [
      LoggingModule.forRoot(logger),
      ErrorsModule.forRoot(filter),
      DirectRoutesModule.forRoot(directRoutes),
      MetricsModule.forRoot(registry),
      HealthModule.forRoot(health),
      module,
    ],
    controllers: [VersionController],
  };
}

/**
 * The modules and controllers of a service, of which nothing is instantiated, so that a description of
 * its routes needs no stores.
 */
export function previewService(definition: ServiceDefinition): Promise<NestFastifyApplication> {
  const logger = createLogger(definition.name, 'silent');
  const steps = new RequestSteps({ headers: () => [], observers: [] });
  const root = rootModule(definition, {
    logger,
    filter: new ErrorFilter(PLAIN_ERRORS, logger, new RouteTable({})),
    directRoutes: new DirectRoutes(steps, new HttpDrain()),
    registry: new Registry(),
  });
  return NestFactory.create<NestFastifyApplication>(root, new FastifyAdapter(), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
}
