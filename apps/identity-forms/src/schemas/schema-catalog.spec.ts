import { SchemaCatalog } from './schema-catalog.js';
import { type SchemasRepository, type StoredSchema } from './schemas.repository.js';

const document = JSON.stringify({ properties: { traits: { type: 'object' } } });

/** A repository of one schema whose answers wait for `answerAll`. */
class SlowSchemas {
  currentVersion = 1;
  private readonly answers: (() => void)[] = [];

  find(id: string): Promise<StoredSchema> {
    const version = this.currentVersion;
    const stored = { id, version, currentVersion: version, isPublic: false, document };
    return new Promise((resolve) => {
      this.answers.push(() => resolve({ ...stored, createdAt: new Date(0) }));
    });
  }

  answerAll(): void {
    for (const answer of this.answers.splice(0)) answer();
  }
}

it('serves a new version at once, even if the old one is being loaded', async () => {
  const schemas = new SlowSchemas();
  const catalog = new SchemaCatalog(schemas as unknown as SchemasRepository);
  const before = catalog.get('s');
  schemas.currentVersion = 2;
  catalog.forget('s');
  const after = catalog.get('s');
  schemas.answerAll();
  expect((await before).version).toBe(1);
  expect((await after).version).toBe(2);
  const later = catalog.get('s');
  schemas.answerAll();
  expect((await later).version).toBe(2);
});
