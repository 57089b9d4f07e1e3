import { execFileSync } from 'node:child_process';
import { shellVariablesOf } from './shell-variables.mjs';

const RECORD = {
  services: { gateway: { url: 'http://127.0.0.1:18080', admin: 'http://127.0.0.1:18089' } },
  credentials: {
    adminApiKey: 'of-all',
    keysAdminApiKey: 'of-keys',
    dsyncApiKey: 'of-dsync',
    formsAdminApiKey: 'of-forms',
    workerAdminApiKey: 'of-worker',
  },
  databaseUrl: 'postgres://localhost/none',
  redisUrl: 'redis://localhost',
};

it('sets variables and functions of a POSIX shell', () => {
  const script = `${shellVariablesOf(RECORD, '/a b/gateway')}
printf '%s\\n' "$ADMIN_URL" "$PUBLIC_URL" "$GATEHOUSE_URL" "$GATEHOUSE_KEY" "$KEYS_KEY" "$DSYNC_KEY" "$FORMS_KEY" "$GATEWAY_DIR"
echo '{"data":{"id":"d1"}}' | field data.id
type post > /dev/null`;
  const lines = execFileSync('sh', ['-euc', script], { encoding: 'utf8' }).trim().split('\n');
  expect(lines).toEqual([
    'http://127.0.0.1:18089',
    'http://127.0.0.1:18080',
    'http://127.0.0.1:18089',
    'of-all',
    'of-keys',
    'of-dsync',
    'of-forms',
    '/a b/gateway',
    'd1',
  ]);
});

it('says that the examples need the gateway', () => {
  const record = { ...RECORD, services: { gateway: null } };
  expect(() => shellVariablesOf(record, '/gateway')).toThrow('The examples need the gateway');
});
