import { loadConfigOrExit, runService } from '@gatehouse/service-kit';
import { KeyServiceConfig } from './config.js';
import { keyService } from './service.js';

await runService(keyService(loadConfigOrExit(KeyServiceConfig)));
