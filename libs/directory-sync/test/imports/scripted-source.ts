import {
  type DirectoryContent,
  type SourceDirectory,
  type SourceGroup,
  type SourceUser,
} from '../../src/imports/import.types.js';
import { group, type Json, user } from '../harness.js';
import { randomUUID } from 'node:crypto';

/** A source whose records the test changes. It lists a few at once. */
export class ScriptedSource implements DirectoryContent {
  readonly directory: SourceDirectory;
  readonly listedUsers = new Map<string, SourceUser>();
  readonly listedGroups = new Map<string, SourceGroup>();
  /** Called before each page. */
  onPage: (page: number) => unknown = () => undefined;
  private pages = 0;

  constructor(directory: Partial<SourceDirectory> = {}) {
    this.directory = {
      id: randomUUID(),
      name: 'Acme',
      tenant: `tenant-${randomUUID()}`,
      product: 'shop',
      type: 'okta-scim-v2',
      deactivated: false,
      scimSecret: 'secret-of-the-provider',
      webhookUrl: 'https://shop.example.com/hooks',
      webhookSecret: 'short',
      logsWebhookEvents: false,
      workspace: null,
      ...directory,
    };
  }

  user(userName: string, more: object = {}, id: string = randomUUID()): string {
    this.listedUsers.set(id, { id, resource: user(userName, more) as Json });
    return id;
  }

  group(name: string, memberIds: string[] = [], id: string = randomUUID()): string {
    this.listedGroups.set(id, { id, resource: group(name) as Json, memberIds });
    return id;
  }

  users = () => this.slices(this.listedUsers);

  groups = () => this.slices(this.listedGroups);

  deleted(kind: 'user' | 'group', ids: readonly string[]): Promise<string[]> {
    const present: ReadonlyMap<string, unknown> =
      kind === 'user' ? this.listedUsers : this.listedGroups;
    return Promise.resolve(ids.filter((id) => !present.has(id)));
  }

  private async *slices<T>(records: ReadonlyMap<string, T>): AsyncGenerator<T[]> {
    const all = [...records.values()];
    for (let at = 0; at < all.length; at += 2) {
      await this.onPage((this.pages += 1));
      yield all.slice(at, at + 2);
    }
  }
}
