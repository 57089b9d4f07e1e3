import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import { HealthCheckService, type HealthIndicatorFunction } from '@nestjs/terminus';
import { type FastifyReply } from 'fastify';
import { Shutdown } from './shutdown.js';

/** Checks of external dependencies, by name; injected as `HEALTH_CHECKS`. */
export const HEALTH_CHECKS = Symbol('HEALTH_CHECKS');

/** The answer of `/health/ready`: what is missing, by name. */
export interface Readiness {
  readonly status: 'ok' | 'degraded' | 'unavailable';
  readonly errors?: Readonly<Record<string, string>>;
}

/** `lack` is sent to the caller; messages of drivers are not. */
type Finding = { status: string; lack?: string };

@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly shutdown: Shutdown,
    @Inject(HEALTH_CHECKS) private readonly checks: HealthIndicatorFunction[],
  ) {}

  @Get('alive')
  alive(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  async ready(
    @Res({ passthrough: true }) reply: FastifyReply,
    @Query('exclude') exclude: string | string[] = [],
  ): Promise<Readiness> {
    const readiness = await this.readiness([exclude].flat());
    if (readiness.status === 'unavailable') reply.status(503).header('retry-after', '1');
    return readiness;
  }

  /** @param excluded stores that the service may be without */
  async readiness(excluded: readonly string[] = []): Promise<Readiness> {
    if (this.shutdown.hasBegun) {
      return { status: 'unavailable', errors: { service: 'shutting down' } };
    }
    const { isReady, errors } = await this.findings(excluded);
    if (Object.keys(errors).length === 0) return { status: 'ok' };
    return { status: isReady ? 'degraded' : 'unavailable', errors };
  }

  private async findings(
    excluded: readonly string[],
  ): Promise<{ isReady: boolean; errors: Record<string, string> }> {
    const result = await this.health.check(this.checks).catch((error: unknown) => {
      const response = (error as { getResponse?: () => unknown }).getResponse?.();
      if (response === undefined) throw error;
      return response as { details: Record<string, Finding> };
    });
    const findings = Object.entries(result.details as Record<string, Finding>);
    const failing = findings.filter(([, { status }]) => status !== 'up');
    return {
      isReady: failing.every(
        ([name, { status }]) => status === 'degraded' || excluded.includes(name),
      ),
      errors: Object.fromEntries(failing.map(([name, { lack = 'not reachable' }]) => [name, lack])),
    };
  }
}
