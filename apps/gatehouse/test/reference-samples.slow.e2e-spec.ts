/**
 * The samples of the reference work: each runs as it is printed, once others have created what it needs. Their
 * ids come from responses, as on the page.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { compileFunction } from 'node:vm';
import { createGatehouse, type ConnectionOptions } from '@gatehouse/client';
import { createTestDatabase, eventually, type Json, type TestDatabase } from '@gatehouse/testing';
import { type Endpoint } from '../../../tools/reference/document.js';
import { idIn } from '../../../tools/reference/ids.js';
import { endpointsOf, serviceOf } from '../../../tools/reference/operations.js';
import { referenceDocument } from '../../../tools/reference/reference-document.js';
import { camelCased } from '../../../tools/reference/variables.js';
import { ADMIN_KEY, openSmall, type SmallGate } from './gate.js';

/** Operations that end what others need. */
const ENDING = /^DELETE|(?:[rR]evoke|erase|drop|retire-secret|end-session)$/;
const IS_WORKSPACE = 'needs a workspace directory';
const HAS_SECRET = 'has a secret that the reader replaces by that of a key';
const HAS_ENDPOINT = 'has the id of a webhook endpoint';
const IS_FLOW = 'needs the address of a flow, which only its page has';
/** What the reader must do before a sample succeeds, beyond what the other samples do. */
const CONDITIONS: Readonly<Record<string, string>> = {
  directoriesAuthorizationUrl: IS_WORKSPACE,
  directoriesEventsResend: HAS_ENDPOINT,
  directoriesRunsApprove: IS_WORKSPACE,
  directoriesRunsDiscard: IS_WORKSPACE,
  directoriesRunsGet: IS_WORKSPACE,
  directoriesSync: IS_WORKSPACE,
  directoriesWorkspaceSettingsGet: IS_WORKSPACE,
  directoriesWorkspaceSettingsUpdate: IS_WORKSPACE,
  formsDecodeQuery: 'needs fields of a form in the query',
  formsShowDone: IS_FLOW,
  formsShowFlow: IS_FLOW,
  formsSubmitFlow: IS_FLOW,
  identitiesEventsResend: HAS_ENDPOINT,
  keysAddCredits: 'needs a key with credits',
  keysAdminAuthorize: 'needs the credential of a client',
  keysAdminAuthorizePost: 'needs the credential of a client',
  keysDerive: HAS_SECRET,
  keysEventsResend: HAS_ENDPOINT,
  keysReportGithubLeaks: 'needs a signature of GitHub',
  keysUndelete: 'needs a revoked key',
  tokensExchange: HAS_SECRET,
};

/** Requests of providers are logged in the background. */
const LATE_LIST = 'directoriesRequestsList';
/** Directory sync sends its people to the key service in the background, too. */
const LATE = new Set(['directoryLinksPreview', LATE_LIST]);

const ENDPOINTS = endpointsOf(referenceDocument());
type Variables = Readonly<Record<string, string>>;
/** Runs a sample. @returns the value of the response @throws if it is an error */
type Run = (source: string, variables: Variables, gate: SmallGate) => Promise<Json>;

const runCommand: Run = async (source, variables) => {
  const strict = `set -eu; curl() { command curl -sS --fail-with-body "$@"; }; ${source}`;
  const env = { ...process.env, ...variables };
  const { stdout } = await promisify(execFile)('sh', ['-c', strict], { env });
  return /^[[{]/.test(stdout) ? JSON.parse(stdout) : stdout;
};

const runCall: Run = (source, variables, { process: { adminUrl: url } }) => {
  const create = (options?: ConnectionOptions) =>
    createGatehouse({ url, key: ADMIN_KEY, ...options });
  const setup = source.startsWith('const gatehouse') ? '' : 'const gatehouse = create();';
  const body = setup + source.replace('createGatehouse', 'create').replace('await', 'return');
  const call = compileFunction(body, ['create', ...Object.keys(variables).map(camelCased)]);
  return (call as (...values: unknown[]) => Promise<Json>)(create, ...Object.values(variables));
};

describe.each([
  ['curl', runCommand],
  ['TypeScript', runCall],
])('the samples for %s', (label, run) => {
  let database: TestDatabase;
  let gate: SmallGate;

  beforeAll(async () => {
    database = await createTestDatabase();
    gate = await openSmall(database, { ISSUER: 'https://gate.example.com' });
  });
  afterAll(async () => {
    await gate.close();
    await database.drop();
  });

  it('succeed, except those with a condition', async () => {
    const common = { GATEHOUSE_URL: gate.process.adminUrl, GATEHOUSE_KEY: ADMIN_KEY };
    const known: Record<string, Record<string, string>> = {};
    const variablesOf = ({ operation }: Endpoint) =>
      (known[serviceOf(operation)] ??= { ...common, ACTOR_ID: 'customer-17' });
    let waiting = inOrder(ENDPOINTS.filter((each) => isTried(each, label)));
    const conditions = waiting.map(idOf).filter((id) => id in CONDITIONS);
    const failed: Record<string, string> = {};
    for (;;) {
      const ready = waiting.find((each) =>
        variablesIn(each).every((name) => name in variablesOf(each)),
      );
      if (ready === undefined) break;
      waiting = waiting.filter((each) => each !== ready);
      const variables = variablesOf(ready);
      try {
        const sample = async () => {
          const value = await run(sampleOf(ready, label), variables, gate);
          const found = idIn(value, ready, ENDPOINTS);
          if (idOf(ready) === LATE_LIST) expect(found).toBeDefined();
          return { value, found };
        };
        const { value, found } = await (LATE.has(idOf(ready)) ? eventually(sample) : sample());
        const { variable = '', id } = found ?? {};
        if (id !== undefined) variables[variable] ??= id;
        const secret: string | undefined = (value?.data ?? value)?.scim?.secret;
        if (secret !== undefined) variables['SCIM_SECRET'] = secret;
      } catch (error) {
        failed[idOf(ready)] = (error as { stdout?: string }).stdout ?? String(error);
      }
    }
    for (const each of waiting) failed[idOf(each)] = 'its variables are unknown';
    expect(failed).toEqual(Object.fromEntries(conditions.map((id) => [id, expect.any(String)])));
  });
});

function idOf({ operation }: Endpoint): string {
  return operation.operationId;
}

function isTried(endpoint: Endpoint, label: string): boolean {
  const { method, path } = endpoint;
  return sampleOf(endpoint, label) !== '' && !ENDING.test(`${method} ${path}`);
}

function sampleOf({ operation }: Endpoint, label: string): string {
  return operation['x-codeSamples']?.find((sample) => sample.label === label)?.source ?? '';
}

/** The variables of the shell that the command has. */
function variablesIn(endpoint: Endpoint): string[] {
  return [...sampleOf(endpoint, 'curl').matchAll(/\$\{?(\w+)/g)].map(([, name = '']) => name);
}

/** What creates something, then what reads, then what changes. */
function inOrder(endpoints: readonly Endpoint[]): Endpoint[] {
  const rank = ({ method, operation }: Endpoint) =>
    '201' in operation.responses ? 0 : ['PUT', 'GET', 'PATCH', 'POST'].indexOf(method) + 1;
  return [...endpoints].sort((one, other) => rank(one) - rank(other));
}
