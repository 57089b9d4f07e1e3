// @ts-check
import { StackFault } from './fault.mjs';

/** POST to the admin API of the key service, and read a member of a JSON answer. */
const FUNCTIONS = `post() {
  curl -sS "$ADMIN_URL/v2alpha1/admin/$1" -H "Authorization: Bearer $KEYS_KEY" \\
    -H 'Content-Type: application/json' --write-out '\\n' -d "$2"
}
field() { node -p "JSON.parse(fs.readFileSync(0)).$1"; }
`;

/**
 * @param {import('./state.mjs').StackRecord} record
 * @param {string} gatewayFolder
 * @returns {string} commands of a POSIX shell
 */
export function shellVariablesOf({ services, credentials }, gatewayFolder) {
  const { gateway } = services;
  if (gateway === null) {
    throw new StackFault(
      'The examples need the gateway, and this stack runs without nginx',
      'Install nginx, then start again: npm run stop, npm start',
    );
  }
  const variables = {
    ADMIN_URL: gateway.admin,
    GATEHOUSE_URL: gateway.admin,
    GATEHOUSE_KEY: credentials.adminApiKey,
    KEYS_KEY: credentials.keysAdminApiKey,
    DSYNC_KEY: credentials.dsyncApiKey,
    FORMS_KEY: credentials.formsAdminApiKey,
  };
  const exported = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'\n`);
  // Not exported, because a service has a setting of this name.
  const others = `PUBLIC_URL='${gateway.url}'\nGATEWAY_DIR='${gatewayFolder}'\n`;
  return [...exported, others, FUNCTIONS].join('');
}
