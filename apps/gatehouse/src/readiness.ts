import { type Readiness } from '@gatehouse/nest-kit/health';
import { type CreatedService } from '@gatehouse/nest-kit/http';

/** The readiness of a process: that of all its services. */
export async function readinessOf(services: readonly CreatedService[]): Promise<Readiness> {
  const answers = await Promise.all(services.map(({ readiness }) => readiness()));
  const has = (status: Readiness['status']) => answers.some((answer) => answer.status === status);
  const status = has('unavailable') ? 'unavailable' : has('degraded') ? 'degraded' : 'ok';
  if (status === 'ok') return { status };
  const errors = answers.flatMap((answer) => Object.entries(answer.errors ?? {}));
  return { status, errors: Object.fromEntries(errors) };
}
