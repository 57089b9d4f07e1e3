import { install, installed } from './traces.js';
import { type TracedService, type TracingLogger, type TracingSettings } from './tracing.types.js';

/** Later spans are lost: a collector that does not answer must not hold up a shutdown. */
const FLUSH_MS_MAX = 1_000;
/** Leaves the process time to exit before its deadline. */
const MARGIN_MS = 200;

/** Turns tracing on, if the settings say so. Without them, no package of OpenTelemetry is loaded. */
export async function startTracing(
  settings: TracingSettings,
  service: TracedService,
  logger: TracingLogger,
): Promise<void> {
  if (!settings.isOn) return;
  const { startSdk } = await import('./sdk.js');
  install(startSdk(settings, service, logger));
}

/** Exports the last spans, for a second at most. */
export async function stopTracing(msLeft: number): Promise<void> {
  await installed()?.close(Math.max(0, Math.min(FLUSH_MS_MAX, msLeft - MARGIN_MS)));
}
