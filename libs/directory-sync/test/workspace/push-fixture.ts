// Directory sync behind the addresses of notification channels, with fakes of both providers.
import { createServer, type Server } from 'node:http';
import { listenOnLoopback } from '@gatehouse/testing';
import {
  type FakeEntra,
  type FakeGoogle,
  startFakeEntra,
  startFakeGoogle,
  type TestDatabase,
} from '@gatehouse/testing';
import { NOTIFICATIONS_PATH } from '../../src/index.js';
import { silentLogger } from '../../src/sync-logger.js';
import {
  createWorkspacePush,
  type WorkspacePush,
} from '../../src/workspace/push/create-workspace-push.js';
import { createSyncDatabase, openSync, type TestDirectory, type TestSync } from '../harness.js';
import { connect, workspaceOf } from './google-fixture.js';
import { entraOf } from './entra-fixture.js';

export interface PushFixture {
  google: FakeGoogle;
  entra: FakeEntra;
  test: TestSync;
  url: string;
  /** Outcomes of notifications, in order. */
  outcomes: string[];
  /** The push tasks of a worker. */
  newWorker(intervalSeconds?: number): WorkspacePush;
  /** Directories that are connected. */
  newGoogle(): Promise<TestDirectory>;
  newEntra(): Promise<TestDirectory>;
  /** Opens, renews and closes what is due. */
  keepUp(worker?: WorkspacePush): Promise<void>;
  /** Makes the next check of a directory due. */
  makeDue(id: string): Promise<void>;
  rows<Row>(text: string, values: unknown[]): Promise<Row[]>;
  stateOf(
    id: string,
  ): Promise<{ active: boolean; expires_at: string | null; error: string | null }>;
}

const NEVER = new AbortController().signal;

export function usePush(): PushFixture {
  const fixture = {} as PushFixture;
  let database: TestDatabase;
  let server: Server;
  Object.assign(fixture, {
    outcomes: [],
    newWorker: (intervalSeconds = 60) =>
      createWorkspacePush({
        dataSource: fixture.test.dataSource,
        watch: (id) => fixture.test.sync.connections.watch(id),
        externalUrl: fixture.url,
        intervalSeconds,
        logger: silentLogger,
      }),
    newGoogle: async () => {
      const directory = await fixture.test.newDirectory({
        type: 'workspace',
        workspace_domain: 'example.com',
      });
      await connect(fixture.google, fixture.test, directory.id);
      return directory;
    },
    newEntra: () =>
      fixture.test.newDirectory({
        type: 'workspace',
        workspace_provider: 'entra',
        workspace_domain: fixture.entra.tenant,
      }),
    keepUp: (worker = fixture.newWorker()) => worker.keepUp(NEVER),
    makeDue: async (id: string) => {
      await fixture.rows(
        'UPDATE dsync.workspace_push SET check_at = now() WHERE directory_id = $1',
        [id],
      );
    },
    rows: <Row>(text: string, values: unknown[]) =>
      fixture.test.dataSource.query<Row[]>(text, values),
    stateOf: async (id: string) => {
      const { data } = await fixture.test.sync.directories.status(id);
      if (!data?.workspace) throw new Error('no status');
      return data.workspace.push;
    },
  } satisfies Partial<PushFixture>);
  beforeAll(async () => {
    fixture.google = await startFakeGoogle();
    fixture.entra = await startFakeEntra();
    database = await createSyncDatabase();
    fixture.test = await openSync(database.url, {
      workspace: {
        ...workspaceOf(fixture.google),
        entra: entraOf(fixture.entra),
      },
    });
    server = receiver(fixture);
    fixture.url = `http://127.0.0.1:${await listenOnLoopback(server)}`;
  });
  beforeEach(async () => {
    fixture.outcomes.length = 0;
    fixture.google.channels.channels.clear();
    fixture.google.channels.opened = 0;
    fixture.entra.subscriptions.subscriptions.clear();
    fixture.entra.subscriptions.opened = 0;
    await fixture.rows('UPDATE dsync.directories SET deactivated = true', []);
    await fixture.rows('DELETE FROM dsync.workspace_push', []);
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    await fixture.test.close();
    await database.drop();
    await fixture.google.close();
    await fixture.entra.close();
  });
  return fixture;
}

/** Answers as the routes of the service. */
function receiver(fixture: PushFixture): Server {
  const receive = async (url: URL, headers: NodeJS.Dict<string | string[]>, body: Buffer) => {
    const id = url.pathname.slice(NOTIFICATIONS_PATH.length + 1);
    const query = Object.fromEntries(url.searchParams);
    const { workspaceNotifications } = fixture.test.sync;
    return workspaceNotifications.receive(id, { headers, query, body });
  };
  return createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '', fixture.url);
      void receive(url, incoming.headers, Buffer.concat(chunks)).then((result) => {
        fixture.outcomes.push(result.outcome);
        if (result.outcome === 'handshake') {
          response.writeHead(200, { 'content-type': 'text/plain' }).end(result.text);
        } else {
          const isRefused = result.outcome === 'unknown' || result.outcome === 'forged';
          response.writeHead(isRefused ? 404 : 202).end();
        }
      });
    });
  });
}
