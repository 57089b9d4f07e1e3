import { previewService, VERSION } from '@gatehouse/nest-kit/http';
import { committedDescription, describedAs, generateDescription } from '@gatehouse/testing';
import { IdentityFormsConfig } from '../config.js';
import { identityForms } from '../service.js';
import { describeApi } from './describe-api.js';

it('the committed document is what the code says (UPDATE_SNAPSHOTS=1 writes it)', async () => {
  const config = new IdentityFormsConfig();
  config.messages.keys = ['k'.repeat(32)];
  const document = await generateDescription(await previewService(identityForms(config)), {
    title: 'Gatehouse identity forms',
    description: 'Typed traits from HTML forms: schemas, decoding, sign-up and profile flows.',
    version: VERSION,
    extend: describeApi,
  });
  const committed = committedDescription(
    'apps/identity-forms/src/identity-forms.openapi.json',
    document,
  );
  expect(committed).toBe(describedAs(document));
});
