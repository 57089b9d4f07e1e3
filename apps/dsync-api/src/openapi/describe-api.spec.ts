import { previewService, VERSION } from '@gatehouse/nest-kit/http';
import { committedDescription, describedAs, generateDescription } from '@gatehouse/testing';
import { DsyncApiConfig } from '../config.js';
import { dsyncApi } from '../service.js';
import { describeApi } from './describe-api.js';

it('the committed document is what the code says (UPDATE_SNAPSHOTS=1 writes it)', async () => {
  const config = new DsyncApiConfig();
  config.messages.keys = ['k'.repeat(32)];
  const document = await generateDescription(await previewService(dsyncApi(config)), {
    title: 'Gatehouse directory sync',
    description: 'Directories, their users, groups and events. SCIM 2.0 for identity providers.',
    version: VERSION,
    extend: describeApi,
  });
  const committed = committedDescription('apps/dsync-api/src/openapi.json', document);
  expect(committed).toBe(describedAs(document));
});
