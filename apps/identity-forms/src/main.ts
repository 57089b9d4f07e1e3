import { loadConfigOrExit, runService } from '@gatehouse/service-kit';
import { IdentityFormsConfig } from './config.js';
import { identityForms } from './service.js';

await runService(identityForms(loadConfigOrExit(IdentityFormsConfig)));
