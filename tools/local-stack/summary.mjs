// @ts-check
import { LOOPBACK } from './ports.mjs';

/**
 * @param {import('./ports.mjs').PortPlan} plan
 * @param {import('./ports.mjs').Replica[]} replicas
 * @param {{ hasGateway: boolean, secrets: import('./secrets.mjs').Secrets, databaseUrl: string,
 *   redisUrl: string }} stack
 * @returns {import('./state.mjs').StackRecord}
 */
export function stackRecordOf(plan, replicas, stack) {
  const { adminApiKey, keysAdminApiKey, formsAdminApiKey, dsyncApiKey, workerAdminApiKey } =
    stack.secrets;
  const at = (/** @type {number} */ port) => `http://${LOOPBACK}:${port}`;
  return {
    services: {
      gateway: stack.hasGateway ? { url: at(plan.gateway), admin: at(plan.gatewayAdmin) } : null,
      ...Object.fromEntries(
        replicas.map(({ name, port, metricsPort }) => [
          name,
          { url: at(port), metrics: `${at(metricsPort)}/metrics` },
        ]),
      ),
    },
    credentials: {
      adminApiKey,
      keysAdminApiKey,
      formsAdminApiKey,
      dsyncApiKey,
      workerAdminApiKey,
    },
    databaseUrl: stack.databaseUrl,
    redisUrl: stack.redisUrl,
  };
}

/**
 * @param {import('./state.mjs').StackRecord} record
 * @returns {string} what a person needs once everything runs
 */
export function summaryOf(record) {
  const rows = [
    ['Service', 'URL', 'Health'],
    ...Object.entries(record.services).flatMap(([name, service]) => {
      if (service === null) return [];
      const { admin } = service;
      return [
        ...(admin === undefined ? [] : [['gateway, admin', admin, `${admin}/health`]]),
        [name, service.url, healthUrl(name, service)],
      ];
    }),
  ];
  const { gateway, 'key-service': keys } = record.services;
  return [
    table(rows),
    '',
    ...(gateway ? [`Console: ${gateway.admin}/console, where GATEHOUSE_KEY signs you in`] : []),
    `API reference: ${gateway?.admin ?? keys?.url}/docs`,
    '',
    'Credentials of this local stack (kept in .local/secrets.json):',
    `  GATEHOUSE_KEY, all services ${record.credentials.adminApiKey}`,
    `  KEYS_KEY, key service       ${record.credentials.keysAdminApiKey}`,
    `  FORMS_KEY, identity forms   ${record.credentials.formsAdminApiKey}`,
    `  DSYNC_KEY, directory sync   ${record.credentials.dsyncApiKey}`,
    `  worker, admin key           ${record.credentials.workerAdminApiKey}`,
    `  PostgreSQL                  ${record.databaseUrl}`,
    `  Redis                       ${record.redisUrl}`,
    '',
    'Variables for the examples of the documentation: eval "$(npm run -s env)"',
    '',
    'Try:',
    ...commandsToTry(record).flatMap(({ title, command }) => [`  # ${title}`, `  ${command}`]),
  ].join('\n');
}

/**
 * @param {string} name
 * @param {{ url: string }} service
 */
export function healthUrl(name, { url }) {
  return name === 'gateway' ? `${url}/health` : `${url}/health/ready`;
}

/** @param {import('./state.mjs').StackRecord} record */
function commandsToTry({ services, credentials }) {
  const keys = services.gateway?.admin ?? services['key-service']?.url;
  const forms = services.gateway?.url ?? services['identity-forms']?.url;
  const post = (/** @type {string} */ path, /** @type {string} */ body) =>
    `curl -s ${keys}/v2alpha1/admin/${path} -H 'Authorization: Bearer ${credentials.keysAdminApiKey}'` +
    ` -H 'Content-Type: application/json' -d ${body}`;
  const issue = post('issuedApiKeys', `'{"name":"my first key","actor_id":"me"}'`);
  return [
    {
      title: 'issue an API key and keep its secret',
      command: `SECRET=$(${issue} | node -pe 'JSON.parse(fs.readFileSync(0)).secret'); echo "$SECRET"`,
    },
    {
      title: 'verify it',
      command: post('apiKeys:verify', `'{"credential":"'"$SECRET"'"}'`),
    },
    {
      title: 'sign up through a form: open in a browser',
      command: `${forms}/sign-up?schema=example`,
    },
  ];
}

/**
 * @param {string[][]} rows
 * @returns {string} columns of equal width
 */
export function table(rows) {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  return rows
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`)
    .map((line) => line.trimEnd())
    .join('\n');
}
