/** `npm run import -- kratos`: identity schemas and identities of Ory Kratos, from its export format. */
import { Interrupted, StackFault } from '#local-stack/fault.mjs';
import { type Progress } from '#local-stack/progress.mjs';
import { type JsonApi } from '../http-json.js';
import { RecordReport } from '../record-report.js';
import { readRows, type Row } from '../rows.js';
import { adminApi } from '../targets.js';

export interface KratosOptions {
  isApplied: boolean;
  identitiesFile: string | undefined;
  schemasFile: string | undefined;
  reportFile: string | undefined;
}

/** Members of a Kratos identity that identity forms do not have. */
const LEFT_OUT = [
  'credentials',
  'metadata_public',
  'metadata_admin',
  'verifiable_addresses',
  'recovery_addresses',
  'external_id',
  'organization_id',
] as const;
const AT_ONCE = 4;
const SCHEMA_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** @returns the exit code */
export async function importKratos(
  options: KratosOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<number> {
  const { isApplied, identitiesFile, schemasFile, reportFile } = options;
  if (identitiesFile === undefined) {
    throw new StackFault('Name the file of the identities: --identities FILE', undefined, 2);
  }
  const identities = readRows(identitiesFile);
  const schemas = schemasFile === undefined ? [] : readRows(schemasFile);
  const report = new RecordReport('identity', !isApplied);
  const api = adminApi('identity-forms', signal);
  const usable = await importSchemas(api, schemas, isApplied, report);
  let next = 0;
  const work = async () => {
    for (let row = identities[next++]; row; row = identities[next++]) {
      if (signal.aborted) throw new Interrupted();
      await importIdentity(api, row, { usable, isApplied, report });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const leftOut = LEFT_OUT.flatMap((name) => {
    const count = identities.filter((identity) => isFilled(identity[name])).length;
    return count === 0 ? [] : [`${name} of ${count}`];
  });
  if (leftOut.length > 0) progress.say(`\nNot moved: ${leftOut.join(', ')} identities.`);
  return report.print(progress, reportFile);
}

/** @returns the ids of the schemas that there are, or would be */
async function importSchemas(
  api: JsonApi,
  schemas: readonly Row[],
  isApplied: boolean,
  report: RecordReport,
): Promise<Set<string>> {
  const usable = new Set<string>();
  for (const { id, schema } of schemas) {
    const name = typeof id === 'string' ? id : '';
    if (!SCHEMA_ID.test(name)) {
      report.conflict(`schema ${name}`, 'schema_id', 'the id has characters that are not accepted');
      continue;
    }
    const { status } = await api.get(`/v1/schemas/${name}`, [404]);
    if (status === 404 && isApplied) {
      const answer = await api.post('/v1/schemas', { id: name, schema }, [409, 422]);
      if (answer.status === 422) {
        report.conflict(`schema ${name}`, 'schema_refused', reasonOf(answer.body));
        continue;
      }
    }
    usable.add(name);
  }
  return usable;
}

async function importIdentity(
  api: JsonApi,
  { id, schema_id, traits, state }: Row,
  context: { usable: ReadonlySet<string>; isApplied: boolean; report: RecordReport },
): Promise<void> {
  const { usable, isApplied, report } = context;
  const record = typeof id === 'string' ? id : '';
  if (!/^[0-9a-f-]{36}$/i.test(record)) return report.conflict(record, 'invalid', 'no UUID as id');
  if (state === 'inactive') {
    return report.conflict(record, 'inactive', 'identity forms have no inactive identities');
  }
  const { status } = await api.get(`/v1/identities/${record}`, [404]);
  if (status !== 404) {
    report.unchanged += 1;
    return;
  }
  const schema = typeof schema_id === 'string' ? schema_id : '';
  if (!isApplied) {
    if (!usable.has(schema) && !(await hasSchema(api, schema))) {
      return report.conflict(record, 'no_schema', schema);
    }
    report.imported += 1;
    return;
  }
  const answer = await api.post(
    '/v1/identities',
    { id: record, schema_id: schema, traits },
    [400, 404, 409, 422],
  );
  if (answer.status === 201) report.imported += 1;
  else if (answer.status === 404) report.conflict(record, 'no_schema', schema);
  else if (answer.status === 409) report.unchanged += 1;
  else report.conflict(record, 'refused', reasonOf(answer.body));
}

async function hasSchema(api: JsonApi, id: string): Promise<boolean> {
  if (!SCHEMA_ID.test(id)) return false;
  return (await api.get(`/v1/schemas/${id}`, [404])).status !== 404;
}

function isFilled(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

interface ProblemBody {
  detail?: string;
  title?: string;
  errors?: { pointer?: string; code?: string }[];
}

/** Where and why, without the values, which may be personal. */
function reasonOf(body: unknown): string {
  const { detail, title, errors = [] } = (body ?? {}) as ProblemBody;
  const faults = errors.map(({ pointer = '', code = '' }) => `${pointer} ${code}`.trim());
  return faults.length > 0 ? faults.slice(0, 5).join(', ') : (detail ?? title ?? 'refused');
}
