/** Claims of the Kubernetes overlays and components about themselves. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { overlay } from './manifests.js';

const DUMPS_KEPT = 14;

const development = overlay('development');
const production = overlay('production');

(development ? it : it.skip)('development runs one pod of each', () => {
  const manifests = development ?? [];
  const scaled = manifests.filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
  for (const { spec } of scaled) assert.deepEqual([spec.minReplicas, spec.maxReplicas], [1, 1]);
  const names = scaled.map(({ spec }) => spec.scaleTargetRef.name as string);
  for (const { kind, metadata, spec } of manifests) {
    if (kind !== 'Deployment' || names.includes(metadata.name)) continue;
    assert.equal(spec.replicas, 1, metadata.name);
  }
});

describe('the backup', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'backup-'));
    mkdirSync(join(folder, 'backups'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs the command of the CronJob with another `pg_dump`, and with folders of this test. */
  function backUp(dump: string): number | null {
    const job = production?.find(({ kind }) => kind === 'CronJob');
    const [{ command }] = job?.spec.jobTemplate.spec.template.spec.containers ?? [{ command: [] }];
    const [shell = '', flags = '', script = ''] = command as string[];
    writeFileSync(join(folder, 'pg_dump'), `#!/bin/sh\nfor last; do case $last in ${dump}\n`, {
      mode: 0o755,
    });
    writeFileSync(join(folder, 'DATABASE_URL'), 'postgres://localhost/none');
    const local = script
      .replaceAll('/backups', join(folder, 'backups'))
      .replaceAll('/run/secrets/gatehouse', folder);
    const env = { PATH: `${folder}:${process.env.PATH}` };
    return spawnSync(shell, [flags, local], { env }).status;
  }
  const files = () => readdirSync(join(folder, 'backups')).sort();
  const WRITES = '--file=*) echo dump >"${last#--file=}" ;; esac; done';

  (production ? it : it.skip)('keeps the last 14 dumps, and removes what failed before', () => {
    const old = Array.from(
      { length: DUMPS_KEPT },
      (_, day) => `gatehouse-202001${10 + day}T0.dump`,
    );
    for (const name of [...old, 'gatehouse-20200130T0.dump.part', 'other.part']) {
      writeFileSync(join(folder, 'backups', name), '');
    }
    assert.equal(backUp(WRITES), 0);
    const [newest] = files().filter((name) => !old.includes(name) && name.endsWith('.dump'));
    expect(files()).toEqual([...old.slice(1), newest, 'other.part']);
  });

  (production ? it : it.skip)('has no dump of an attempt that failed', () => {
    assert.notEqual(backUp(`${WRITES}; exit 1`), 0);
    expect(files().filter((name) => name.endsWith('.dump'))).toEqual([]);
  });
});
