import { HeadSampler } from './head-sampler.js';
import { type TracedService, type TracingLogger, type TracingSettings } from './sdk.js';
import { install, installedTracer, Tracer } from './tracer.js';

/** What ends later is lost: a collector that does not answer must not hold up a shutdown. */
const FLUSH_MS_MAX = 1_000;
/** For the process to end before its time is over. */
const MARGIN_MS = 200;

/** Turns tracing on, if the settings say so. Without them, no package of OpenTelemetry is loaded. */
export async function startTracing(
  config: TracingSettings,
  service: TracedService,
  logger: TracingLogger,
): Promise<void> {
  if (!config.isTraced) return;
  const { startSdk } = await import('./sdk.js');
  const { recorder, isInRatio } = startSdk(config, service, logger);
  const settings = {
    sampler: config.otelSampler,
    ratio: config.otelSamplerRatio,
    callersPerSecond: config.traceCallersPerSecond,
  };
  const sampler = new HeadSampler(settings, isInRatio);
  install(
    new Tracer({ sampler, recorder, propagates: config.otelPropagators.includes('tracecontext') }),
  );
}

/** Exports the last spans, for a second at most. */
export async function stopTracing(msLeft: number): Promise<void> {
  await installedTracer()?.close(Math.max(0, Math.min(FLUSH_MS_MAX, msLeft - MARGIN_MS)));
}
