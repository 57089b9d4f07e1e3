import { acceptJsonOnly, createLogger, loadConfigOrExit, runService } from '@gatehouse/service-kit';
import { AppModule } from './app.module.js';
import { KeyServiceConfig } from './config.js';
import { nativeOperationsOf } from './native-operations.js';
import { completeDocument } from './openapi/document.js';
import { aipErrorBody, AipErrorFilter } from './wire/aip-error.filter.js';

const config = loadConfigOrExit(KeyServiceConfig);

await runService({
  name: 'key-service',
  config,
  module: AppModule.forRoot(config),
  health: { database: true, redis: 'required' },
  exceptionFilters: [new AipErrorFilter(createLogger('key-service', config.logLevel))],
  errorBody: aipErrorBody,
  microservice: true,
  ownBodyParsers: true,
  configure: (app) => acceptJsonOnly(app.getHttpAdapter().getInstance()),
  openApi: {
    title: 'Gatehouse key service',
    description: 'API keys: issue, import, verify, derive, revoke.',
    extend: (document) => completeDocument(document, nativeOperationsOf(config.surface)),
  },
});
