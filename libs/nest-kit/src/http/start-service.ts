/**
 * Starts a service the same way everywhere: logging, metrics, request ids, security headers,
 * error filters, messages, API description, signals. Shutdown: the service reports that it
 * is not ready, serves on for the drain time, stops listening, finishes requests and jobs in flight,
 * and closes its connections, all within the configured times.
 */
import { type IncomingMessage, maxHeaderSize, type ServerResponse } from 'node:http';
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
import { type Exchange } from '@gatehouse/kit/exchange';
import { describeConfig } from '@gatehouse/kit/settings';
import { type ServiceConfig } from '../config/service.config.js';
import { setCell } from '@gatehouse/kit/ids';
import { ErrorFilter } from '../errors/error.filter.js';
import { type ErrorProtocol, PLAIN_ERRORS } from '../errors/error-protocol.js';
import { ErrorsModule } from '../errors/errors.module.js';
import { HealthController, type Readiness } from '../health/health.controller.js';
import { HealthModule, type HealthOptions } from '../health/health.module.js';
import { Shutdown } from '../health/shutdown.js';
import { createLogger, NestLogger } from '../logging/logger.js';
import { LoggingModule } from '../logging/logging.module.js';
import { ExchangeModule } from '../exchange/exchange.module.js';
import { MessageServer } from '../exchange/message-server.js';
import {
  type ExchangeOwner,
  type OpenExchange,
  openRedisExchange,
} from '../exchange/open-exchange.js';
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

export interface ServiceDefinition extends ExchangeOwner {
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
  /** Whether the service answers messages. */
  microservice?: boolean;
  /** Security headers; those of a JSON API by default. */
  helmet?: HelmetOptions;
  /** The document of /openapi.json. */
  description?: CommittedDescription;
  /** Registers the body parsers of controllers; `acceptJsonOnly` by default. */
  bodyParsers?: (fastify: FastifyInstance) => void;
  /** Routes outside of controllers. */
  nativeRoutes?: Type<NativeRoutes>[];
  /** Registers hooks and plugins; runs before any route is registered. */
  configure?: (fastify: FastifyInstance) => void;
}

/** What a process stops on a signal. */
export interface RunningProcess {
  /** Stops the service. `urgent` skips the drain time. */
  close: (options?: { urgent?: boolean }) => Promise<void>;
}

export interface RunningService extends RunningProcess {
  app: NestFastifyApplication;
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

/** Of a preview, whose providers are not instantiated. */
const NOT_OPENED = {} as Exchange;

@Module({})
class RootModule {}

/** What a service is started with. */
export interface StartOptions {
  /** Has the port of the service until it listens. */
  standIn?: StandIn;
  /** Redis by default. */
  openExchange?: OpenExchange;
}

/** A service that does not listen. */
export interface CreatedService {
  readonly app: NestFastifyApplication;
  /** Handles a request that another server has received. */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => void;
  readonly drain: HttpDrain;
  readonly shutdown: Shutdown;
  readonly readiness: () => Promise<Readiness>;
  /** Finishes jobs in flight, and closes the connections. */
  readonly end: () => Promise<void>;
}

/** Starts a service in this process. `close` stops it; the caller handles signals. */
export async function startService(
  definition: ServiceDefinition,
  logger: Logger,
  { standIn, openExchange = openRedisExchange }: StartOptions = {},
): Promise<RunningService> {
  const { config } = definition;
  const registry = processRegistry();
  const bodies = bodyBudget(definition.clients);
  const parts = { logger, registry, bodies, openExchange };
  const { app, drain, shutdown, end } = await createService(definition, parts);
  await standIn?.close();
  await app.listen(config.port, config.host);
  const metrics = await startMetricsServer(registry, config.host, config.metricsPort);
  logger.info({ url: await app.getUrl(), metricsAddress: metrics.address() }, 'listening');

  return {
    app,
    close: async ({ urgent = false } = {}) => {
      const drainMs = urgent ? 0 : config.drainTimeSeconds * 1000;
      shutdown.begin(drainMs, config.shutdownTimeoutSeconds * 1000);
      await sleep(drainMs);
      const workMs = shutdown.workMsLeft;
      const areAnswered = await drain.close(workMs, Math.min(drainMs, workMs / 2));
      if (!areAnswered) logger.warn('requests in flight were cut off');
      await end();
      metrics.closeAllConnections();
      await new Promise((resolve) => metrics.close(resolve));
      await stopTracing(shutdown.msLeft);
      logger.flush();
    },
  };
}

/** A registry with the metrics of the process. */
export function processRegistry(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_SAMPLE_MS });
  return registry;
}

/** The budget of the request bodies that the process holds, whatever service they are for. */
export function bodyBudget(clients?: ClientAddressOptions): BodyBudget {
  const addresses = clients && new ClientAddresses(clients);
  return new BodyBudget({ mebibytesMax: BODY_BUDGET_MEBIBYTES, addresses });
}

/** What a service uses of its process. */
export interface ProcessParts {
  readonly logger: Logger;
  readonly registry: Registry;
  readonly bodies: BodyBudget;
  readonly openExchange: OpenExchange;
}

/** Starts all of a service but its servers. */
export async function createService(
  definition: ServiceDefinition,
  { logger, registry, bodies, openExchange }: ProcessParts,
): Promise<CreatedService> {
  setCell(definition.config.database.cell);
  registerBuildInfo(registry, definition.name);
  const drain = new HttpDrain();
  const exchange = openExchange(definition, logger, registry);
  const app = await createApplication(definition, {
    logger,
    registry,
    bodies,
    drain,
    exchange,
  });
  if (definition.microservice) {
    // Without this, messages would not go through the error filter.
    app.connectMicroservice(
      { strategy: new MessageServer(exchange.messages) },
      { inheritAppConfig: true },
    );
    await app.startAllMicroservices();
  }
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  logger.info({ settings: describeConfig(definition.config) }, 'settings');
  const server = app.getHttpServer();
  return {
    app,
    serve: (request, response) => void server.emit('request', request, response),
    drain,
    shutdown: app.get(Shutdown),
    readiness: () => app.get(HealthController, { strict: false }).readiness(),
    end: async () => {
      await app.close();
      await exchange.close();
    },
  };
}

interface ServiceParts {
  logger: Logger;
  registry: Registry;
  bodies: BodyBudget;
  drain: HttpDrain;
  exchange: Exchange;
}

async function createApplication(
  definition: ServiceDefinition,
  { logger, registry, bodies, drain, exchange }: ServiceParts,
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
  registerGlobalHooks(fastify, { steps, routes, drain, bodies });

  const filter = new ErrorFilter(errors, logger, routes);
  const root = rootModule(definition, { logger, filter, directRoutes, registry, exchange });
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
  exchange: Exchange;
}

function rootModule(
  { health, module }: ServiceDefinition,
  { logger, filter, directRoutes, registry, exchange }: RootParts,
): DynamicModule {
  return {
    module: RootModule,
    imports: [
      LoggingModule.forRoot(logger),
      ErrorsModule.forRoot(filter),
      DirectRoutesModule.forRoot(directRoutes),
      MetricsModule.forRoot(registry),
      ExchangeModule.forRoot(exchange),
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
  const steps = new RequestSteps({ headers: [], observers: [] });
  const root = rootModule(definition, {
    logger,
    filter: new ErrorFilter(PLAIN_ERRORS, logger, new RouteTable({})),
    directRoutes: new DirectRoutes(steps, new HttpDrain()),
    registry: new Registry(),
    exchange: NOT_OPENED,
  });
  return NestFactory.create<NestFastifyApplication>(root, new FastifyAdapter(), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
}
