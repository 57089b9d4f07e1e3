import { loadConfigOrExit } from '@gatehouse/kit/settings';
import { runService } from '@gatehouse/nest-kit/http';
import { IdentityFormsConfig } from './config.js';
import { identityForms } from './service.js';

void runService(identityForms(loadConfigOrExit(IdentityFormsConfig)));
