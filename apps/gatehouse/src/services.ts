/** The services and the console in one process: each is what it is on its own, except that it does not listen. */
import { type Exchange, LocalExchanges } from '@gatehouse/kit/exchange';
import { type OpenExchange, openRedisExchange } from '@gatehouse/nest-kit/exchange';
import {
  bodyBudget,
  type CreatedService,
  createService,
  type ServiceDefinition,
} from '@gatehouse/nest-kit/http';
import { createLogger } from '@gatehouse/nest-kit/logging';
import { Registry } from 'prom-client';
import { consoleService } from '../../console/src/service.js';
import { dsyncApi } from '../../dsync-api/src/service.js';
import { dsyncWorker } from '../../dsync-worker/src/service.js';
import { identityForms } from '../../identity-forms/src/service.js';
import { keyService } from '../../key-service/src/service.js';
import { type Configs, type GatehouseConfig } from './config.js';

export interface Services {
  readonly keyService: CreatedService;
  readonly dsyncApi: CreatedService;
  readonly identityForms: CreatedService;
  readonly console?: CreatedService;
  readonly all: readonly CreatedService[];
  /** The metrics of each, with its name as the label `service`. */
  readonly registries: readonly Registry[];
  /** Finishes the jobs in flight, and closes all connections. */
  end(): Promise<void>;
}

/** Starts all services, which share an exchange. */
export async function createServices(configs: Configs): Promise<Services> {
  const exchanges = exchangesOf(configs.gatehouse);
  const bodies = bodyBudget(configs.gatehouse.clients);
  const registries: Registry[] = [];
  const create = (definition: ServiceDefinition) => {
    const { name, config } = definition;
    const logger = createLogger(name, config.logLevel, { isTraced: config.tracing.isOn });
    const registry = labeled(new Registry(), name);
    registries.push(registry);
    return createService(definition, { logger, registry, bodies, openExchange: exchanges.open });
  };
  const services = {
    keyService: await create(keyService(configs.keyService)),
    dsyncApi: await create(dsyncApi(configs.dsyncApi)),
    identityForms: await create(identityForms(configs.identityForms)),
    console: configs.console && (await create(consoleService(configs.console))),
    dsyncWorker: await create(dsyncWorker(configs.dsyncWorker)),
  };
  const all = Object.values(services).filter((service) => service !== undefined);
  return {
    ...services,
    all,
    registries,
    async end() {
      await Promise.all(all.map((service) => service.end()));
      await exchanges.close();
    },
  };
}

/** Names the service that metrics are of, where one endpoint serves those of several. */
export function labeled(registry: Registry, service: string): Registry {
  registry.setDefaultLabels({ service });
  return registry;
}

/** The layout of a process: calls within it, or messages over Redis, which other processes share. */
function exchangesOf({ isAlone, database }: GatehouseConfig): {
  open: OpenExchange;
  close: () => Promise<void>;
} {
  if (!isAlone) return { open: openRedisExchange, close: () => Promise.resolve() };
  const local = new LocalExchanges(database.sessionUrl);
  return { open: ({ name }): Exchange => local.of(name), close: () => local.close() };
}
