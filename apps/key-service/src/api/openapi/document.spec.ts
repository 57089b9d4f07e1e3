import { committedDescription, describedAs, generateDescription } from '@gatehouse/testing';
import { previewService, VERSION } from '@gatehouse/nest-kit/http';
import { type ApiDescription } from '@gatehouse/nest-kit/openapi';
import { KeyServiceConfig } from '../../config.js';
import { nativeOperationsOf } from '../../native-operations.js';
import { keyService } from '../../service.js';
import { describeApi } from './document.js';
import { ofSurface } from './surface.js';

const FILE = 'apps/key-service/src/key-service.openapi.json';

async function generate(surface: KeyServiceConfig['surface']) {
  const config = Object.assign(new KeyServiceConfig(), { surface });
  config.messages.keys = ['k'.repeat(32)];
  return generateDescription(await previewService(keyService(config)), {
    title: 'Gatehouse key service',
    description: 'API keys: issue, import, verify, derive, revoke.',
    version: VERSION,
    extend: (document) => describeApi(document, nativeOperationsOf(surface)),
  });
}

it('the committed document is what the code says (UPDATE_SNAPSHOTS=1 writes it)', async () => {
  const document = await generate('all');
  expect(committedDescription(FILE, document)).toBe(describedAs(document));
});

it.each(['admin', 'public'] as const)(
  'the %s surface shows its own operations',
  async (surface) => {
    const own = await generate(surface);
    const all = await generate('all');
    const shown = ofSurface(all as unknown as ApiDescription, surface);
    expect(Object.keys(shown.paths).sort()).toEqual(Object.keys(own.paths).sort());
    expect(shown.tags).toEqual(own.tags);
  },
);
