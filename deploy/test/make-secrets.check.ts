/** The secrets of a stack that was small: those that its services derived. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyRing } from '@gatehouse/crypto';
import { Derived } from '@gatehouse/kit/settings';
import { workspace } from '#local-stack/layout.mjs';

const SETTING_OF: Record<string, keyof typeof Derived> = {
  'key-service-encryption-keys': 'KEYS_ENCRYPTION_KEYS',
  'key-service-hmac-secrets': 'KEYS_HMAC_SECRETS',
  'dsync-encryption-keys': 'DSYNC_ENCRYPTION_KEYS',
  'identity-forms-encryption-keys': 'FORMS_ENCRYPTION_KEYS',
  'console-admin-key': 'CONSOLE_ADMIN_KEY',
  'console-encryption-keys': 'CONSOLE_ENCRYPTION_KEYS',
  'message-keys': 'MESSAGE_KEYS',
  'verdict-signing-key': 'VERDICT_SIGNING_KEY',
  'verdict-public-keys': 'VERDICT_PUBLIC_KEYS',
};

it('make-secrets.sh derives the keys of the services from the secret of the small layout', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  try {
    const script = join(workspace, 'deploy', 'docker', 'make-secrets.sh');
    const env = { PATH: process.env.PATH, GATEHOUSE_SECRETS: folder };
    const read = (name: string) => readFileSync(join(folder, name), 'utf8').trim();
    execFileSync('sh', [script, 'small'], { env });
    const password = read('postgres-password');
    execFileSync('sh', [script], { env });
    const ring = KeyRing.fromTexts([read('gatehouse-secret')]);
    for (const [name, setting] of Object.entries(SETTING_OF)) {
      assert.equal(read(name), [Derived[setting](ring)].flat().join().trim(), name);
    }
    assert.equal(read('postgres-password'), password);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
