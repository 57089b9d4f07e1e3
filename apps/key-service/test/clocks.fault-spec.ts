/** The clock of one replica is ahead, and is corrected. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, ProcessClock } from '@gatehouse/testing';
import { startKeyService } from './key-stack.js';

const AHEAD_SECONDS = 600;

it('a replica whose clock is set back refuses a revoked key after CACHE_TTL', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-clocks-'));
  const service = await startKeyService({ CACHE_TTL: '2' });
  try {
    const clock = new ProcessClock(folder, 'replica', AHEAD_SECONDS);
    const ahead = await service.start(clock.settings);
    const { secret, key } = await service.issue();
    const cached = async () => {
      const { body } = await service.verify(secret, {}, { replica: 1 });
      return [body.is_valid, body.error_code];
    };
    // Within its lifetime, the entry outlives the revocation: the message of it is ignored.
    expect(await cached()).toEqual([true, undefined]);
    const revoked = await service.admin('POST', `/apiKeys/${key.key_id}:revoke`, {});
    expect(revoked.status).toBe(204);
    clock.step(0);
    await eventually(async () =>
      expect(await cached()).toEqual([false, 'VERIFICATION_ERROR_REVOKED']),
    );
    expect(await ahead.metrics()).toMatch(/^messages_refused_by_clock_total [1-9]/m);
    expect(ahead.logs()).toContain('the clocks of two processes differ');
  } finally {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
