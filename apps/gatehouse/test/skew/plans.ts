/** The plans of all statements that a process runs, with the rows that each part read. */
import { connect, createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { type TestDatabase } from '@gatehouse/testing';
import { parse } from 'pg-protocol';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

export interface RunStatement {
  text: string;
  /** Rows that it returned or wrote. */
  returned: number;
  /** Rows that its scans of tables and indexes read, those included that a filter removed. */
  read: number;
  plan: PlanNode;
}

export interface WatchedDatabase extends Pick<TestDatabase, 'url'> {
  /** The statements since the last call. */
  taken(): RunStatement[];
  close(): Promise<void>;
}

/**
 * Has PostgreSQL send the plan of each statement to its client, and listens between the two.
 * @param database of a superuser, who may load auto_explain
 */
export async function watchPlans(database: TestDatabase): Promise<WatchedDatabase> {
  const target = new URL(database.url);
  const name = target.pathname.slice(1);
  await database.query(`ALTER DATABASE ${name} SET session_preload_libraries = 'auto_explain'`);
  for (const [setting, value] of Object.entries(AUTO_EXPLAIN)) {
    await database.query(`ALTER DATABASE ${name} SET auto_explain.${setting} = '${value}'`);
  }
  let statements: RunStatement[] = [];
  const server = createServer((client) => {
    const beyond = connect(Number(target.port), target.hostname);
    client.pipe(beyond).pipe(client);
    for (const [end, other] of [
      [client, beyond],
      [beyond, client],
    ] as const) {
      end.on('error', () => end.destroy());
      end.on('close', () => other.destroy());
    }
    void parse(beyond, (message) => {
      if (message.name !== 'notice') return;
      const [, plan] = /plan:\n([^]*)/.exec((message as { message?: string }).message ?? '') ?? [];
      if (plan !== undefined) statements.push(statementOf(plan));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const proxy = new URL(database.url);
  proxy.port = String((server.address() as { port: number }).port);
  return {
    url: proxy.href,
    taken: () => {
      const taken = statements;
      statements = [];
      return taken;
    },
    close: () => closed(server),
  };
}

const AUTO_EXPLAIN = {
  log_level: 'notice',
  log_format: 'json',
  log_analyze: 'on',
  log_timing: 'off',
  log_nested_statements: 'on',
  log_min_duration: '0',
};

function statementOf(json: string): RunStatement {
  const { 'Query Text': text, Plan: plan } = JSON.parse(json) as {
    'Query Text': string;
    Plan: PlanNode;
  };
  const [changed] = plan['Node Type'] === 'ModifyTable' ? (plan.Plans ?? []) : [plan];
  return { text, returned: rowsOf(changed ?? plan), read: rowsRead(plan), plan };
}

function rowsOf(node: PlanNode): number {
  return node['Actual Rows'] * node['Actual Loops'];
}

/** A bitmap index scan counts with the heap scan above it; catalogs of PostgreSQL do not count. */
function rowsRead(node: PlanNode): number {
  const removed =
    (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  const { 'Relation Name': relation = 'pg_', 'Node Type': type } = node;
  const isScan = type.endsWith('Scan') && !relation.startsWith('pg_');
  const own = isScan ? rowsOf(node) + removed * node['Actual Loops'] : 0;
  return (node.Plans ?? []).reduce((sum, part) => sum + rowsRead(part), own);
}

async function closed(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
