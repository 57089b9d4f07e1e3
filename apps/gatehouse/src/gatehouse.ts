/**
 * The composition root of the small layout: four services, the console and the front door in one process, on
 * PostgreSQL alone, or with Redis beside other such processes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { stopTracing } from '@gatehouse/kit/tracing';
import {
  type CreatedService,
  processRegistry,
  type RunningProcess,
  type StandIn,
  startMetricsServer,
} from '@gatehouse/nest-kit/http';
import { type Logger } from 'pino';
import { AggregatorRegistry, Registry } from 'prom-client';
import { AdminKeys } from '../../key-service/src/keys/issued/admin-keys.js';
import { type Configs, type GatehouseConfig } from './config.js';
import { DatabaseClaim } from './database-claim.js';
import { type FrontDoor, openFrontDoor } from './front-door/front-door.js';
import { migrateAll } from './migrations.js';
import { readinessOf } from './readiness.js';
import { createServices, labeled, type Services } from './services.js';

/**
 * Claims and migrates the database, starts the services, and opens the front door.
 *
 * @param standIn has the port of the public surface until then
 */
export async function startGatehouse(
  configs: Configs,
  logger: Logger,
  standIn?: StandIn,
): Promise<RunningProcess> {
  const { gatehouse: config } = configs;
  const claim = await claimDatabase(config, logger);
  await migrateAll(config, logger);
  const services = await createServices(configs);
  const { keyService, dsyncApi, identityForms, console, all } = services;
  await standIn?.close();
  const frontDoor = await openFrontDoor({
    host: config.host,
    port: config.port,
    adminPort: config.adminPort,
    services: {
      'key-service': keyService.serve,
      'dsync-api': dsyncApi.serve,
      'identity-forms': identityForms.serve,
      ...(console && { console: console.serve }),
    },
    ready: async () => {
      const body = await readinessOf(all);
      return { status: body.status === 'unavailable' ? 503 : 200, body };
    },
    clients: config.clients,
    logger,
  });
  if (configs.console) configs.console.gatehouseUrl = frontDoor.adminUrl;
  const metrics = await startMetricsServer(metricsOf(services), config.host, config.metricsPort);
  // Not before: the secret of a start that fails would be lost.
  if (configs.keyService.admin.keys.length === 0) await printFirstKey(keyService);
  const { publicUrl: url, adminUrl } = frontDoor;
  logger.info({ url, adminUrl, metricsAddress: metrics.address() }, 'listening');

  return {
    close: async ({ urgent = false } = {}) => {
      const drainMs = urgent ? 0 : config.drainTimeSeconds * 1_000;
      for (const { shutdown } of all) {
        shutdown.begin(drainMs, config.shutdownTimeoutSeconds * 1_000);
      }
      await sleep(drainMs);
      const { shutdown } = keyService;
      const areAnswered = await closeFrontDoor(frontDoor, all, shutdown.workMsLeft, drainMs);
      if (!areAnswered) logger.warn('requests in flight were cut off');
      await services.end();
      metrics.closeAllConnections();
      await new Promise((resolve) => metrics.close(resolve));
      await claim.release();
      await stopTracing(shutdown.msLeft);
      logger.flush();
    },
  };
}

function claimDatabase(
  { isAlone, database }: GatehouseConfig,
  logger: Logger,
): Promise<DatabaseClaim> {
  const options = {
    databaseUrl: database.sessionUrl,
    isShared: !isAlone,
    logger,
  };
  return DatabaseClaim.take(options, (error) => {
    logger.fatal({ err: error }, 'the database was lost to another process');
    logger.flush();
    process.exit(1);
  });
}

/** The drains of the services make each response close its connection. */
async function closeFrontDoor(
  frontDoor: FrontDoor,
  services: readonly CreatedService[],
  workMs: number,
  drainMs: number,
): Promise<boolean> {
  const [areAnswered] = await Promise.all([
    frontDoor.close(workMs, Math.min(drainMs, workMs / 2)),
    ...services.map(({ drain }) => drain.close(workMs)),
  ]);
  return areAnswered;
}

/** The metrics of the process and of all services, as one text. */
function metricsOf({ registries }: Services): Pick<Registry, 'contentType' | 'metrics'> {
  const all = [labeled(processRegistry(), 'gatehouse'), ...registries];
  return {
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    metrics: async () => {
      const values = await Promise.all(all.map((registry) => registry.getMetricsAsJSON()));
      return AggregatorRegistry.aggregate(values).metrics();
    },
  };
}

/** Not a log line, which would be parsed and shipped. */
async function printFirstKey({ app }: CreatedService): Promise<void> {
  const secret = await app.get(AdminKeys, { strict: false }).issueFirst();
  if (secret === undefined) return;
  process.stdout.write(
    `\nThis is the first start on this database. The key of the administrator, which is shown once:\n\n` +
      `    ${secret}\n\n` +
      `It opens the admin surface. \`gatehouse admin-key\` makes another.\n\n`,
  );
}
